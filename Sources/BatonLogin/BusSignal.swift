/// A signal that a service has sent.
struct BusSignal {
    /// The path of the object that the signal is about.
    let path: String
    /// The name of the signal.
    let member: String
    let values: [BusValue]
}

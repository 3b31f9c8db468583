/// The version of the program, the same for the node and its clients.
package enum Build {
    package static let version = "0.1.0"
}

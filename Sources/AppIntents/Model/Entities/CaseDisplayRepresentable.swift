/// A type whose cases have titles for people.
public protocol CaseDisplayRepresentable: InstanceDisplayRepresentable, CaseIterable, Hashable {
    /// The titles of the cases.
    static var caseDisplayRepresentations: [Self: DisplayRepresentation] { get }
}

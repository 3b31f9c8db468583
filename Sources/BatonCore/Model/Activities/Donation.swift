/// An app's report that the person did something in the app, like Apple's `INInteraction` and the donation of an
/// `AppIntent`.
///
/// The action may be suggested to the person later.
///
/// The action itself is an activity, which is stored only on the device. An app may donate the same action many times.
package struct Donation: Equatable, Sendable {
    /// The app's identifier of the donation, by which the app can delete it.
    package var identifier: String
    /// The app's identifier of a group of donations, by which the app can delete them together.
    package var group: String?
    /// The time when the person did the action.
    package var time: WallTime
    /// The app's names of the things that the action is about, by which the app can delete the donation.
    package var subjects: [String]

    /// The most subjects of a donation.
    package static let subjectsMost = 16

    package init(
        _ identifier: String, in group: String? = nil, at time: WallTime, about subjects: [String] = []
    ) {
        (self.identifier, self.group, self.time) = (identifier, group, time)
        self.subjects = subjects
    }

    /// The donations that an app deletes.
    package enum Selection: Equatable, Sendable {
        case identifiers([String])
        case group(String)
        /// The donations about a thing; if there is a group, only donations of that group.
        case subject(String, group: String?)
        case all

        /// Returns whether a donation is selected; texts are compared byte for byte.
        package var test: (Donation) -> Bool {
            switch self {
            case .identifiers(let identifiers):
                let meant = Set(identifiers.map { Array($0.utf8) })
                return { meant.contains(Array($0.identifier.utf8)) }
            case .group(let group): return { $0.group?.utf8.elementsEqual(group.utf8) ?? false }
            case .subject(let subject, let group):
                return { donation in
                    donation.subjects.contains { $0.utf8.elementsEqual(subject.utf8) }
                        && (group.map { Selection.group($0).test(donation) } ?? true)
                }
            case .all: return { _ in true }
            }
        }
    }
}

extension Donation {
    package func encode(to writer: inout CBORWriter) {
        // A donation without subjects has three elements.
        writer.array(count: subjects.isEmpty ? 3 : 4)
        writer.text(identifier)
        if let group { writer.text(group) } else { writer.null() }
        time.encode(to: &writer)
        guard !subjects.isEmpty else { return }
        writer.array(count: subjects.count)
        for subject in subjects { writer.text(subject) }
    }

    package init(from reader: inout CBORReader) throws(CBORError) {
        let start = reader.offset
        let count = try reader.arrayCount(upTo: 4)
        guard count >= 3 else { throw CBORError(.outOfRange, at: start) }
        identifier = try reader.text()
        group = try reader.optional { (reader) throws(CBORError) in try reader.text() }
        time = try WallTime(from: &reader)
        subjects = []
        guard count > 3 else { return }
        subjects = try reader.array(upTo: Self.subjectsMost) { (reader) throws(CBORError) in try reader.text()
        }
        // An empty list would be a second way to write a donation without subjects, so it is refused.
        guard !subjects.isEmpty else { throw CBORError(.outOfRange, at: start) }
    }
}

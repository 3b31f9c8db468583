import AppIntents
import Foundation

/// A condition as an app writes it.
struct GadgetPredicate: Sendable {
    let test: @Sendable (Gadget) -> Bool

    init(_ test: @escaping @Sendable (Gadget) -> Bool) { self.test = test }
}

/// An app's own query with the same comparators as `IndexedGadgetQuery`, which is evaluated in memory.
struct PlainGadgetQuery: EntityPropertyQuery {
    typealias Entity = Gadget
    typealias ComparatorMappingType = GadgetPredicate

    static let properties = QueryProperties {
        Property(\Gadget.$name) {
            EqualToComparator { value in GadgetPredicate { $0.name == value } }
            NotEqualToComparator { value in GadgetPredicate { $0.name != value } }
            LessThanComparator { value in GadgetPredicate { $0.name < value } }
            ContainsComparator { value in GadgetPredicate { value.isEmpty || $0.name.contains(value) } }
            HasPrefixComparator { value in GadgetPredicate { $0.name.hasPrefix(value) } }
            HasSuffixComparator { value in GadgetPredicate { $0.name.hasSuffix(value) } }
        }
        Property(\Gadget.$note) {
            EqualToComparator { value in GadgetPredicate { $0.note == value } }
            NotEqualToComparator { value in GadgetPredicate { $0.note != value } }
            ContainsComparator { value in
                GadgetPredicate { $0.note.map { value.isEmpty || $0.contains(value) } ?? false }
            }
            HasPrefixComparator { value in GadgetPredicate { $0.note?.hasPrefix(value) ?? false } }
            HasSuffixComparator { value in GadgetPredicate { $0.note?.hasSuffix(value) ?? false } }
        }
        Property(\Gadget.$rating) {
            EqualToComparator { value in GadgetPredicate { $0.rating == value } }
            NotEqualToComparator { value in GadgetPredicate { $0.rating != value } }
            LessThanComparator { value in GadgetPredicate { $0.rating < value } }
            LessThanOrEqualToComparator { value in GadgetPredicate { $0.rating <= value } }
            GreaterThanComparator { value in GadgetPredicate { $0.rating > value } }
            GreaterThanOrEqualToComparator { value in GadgetPredicate { $0.rating >= value } }
            IsBetweenComparator { low, high in GadgetPredicate { low <= $0.rating && $0.rating <= high } }
        }
        Property(\Gadget.$pages) {
            EqualToComparator { value in GadgetPredicate { $0.pages == value } }
            NotEqualToComparator { value in GadgetPredicate { $0.pages != value } }
            LessThanComparator { value in GadgetPredicate { $0.pages.map { $0 < value } ?? false } }
            GreaterThanOrEqualToComparator { value in
                GadgetPredicate { $0.pages.map { $0 >= value } ?? false }
            }
            IsBetweenComparator { low, high in
                GadgetPredicate { $0.pages.map { low <= $0 && $0 <= high } ?? false }
            }
        }
        Property(\Gadget.$weight) {
            EqualToComparator { value in GadgetPredicate { $0.weight == value } }
            NotEqualToComparator { value in GadgetPredicate { $0.weight != value } }
            LessThanComparator { value in GadgetPredicate { $0.weight < value } }
            LessThanOrEqualToComparator { value in GadgetPredicate { $0.weight <= value } }
            GreaterThanComparator { value in GadgetPredicate { $0.weight > value } }
            GreaterThanOrEqualToComparator { value in GadgetPredicate { $0.weight >= value } }
            IsBetweenComparator { low, high in GadgetPredicate { low <= $0.weight && $0.weight <= high } }
        }
        Property(\Gadget.$built) {
            EqualToComparator { value in GadgetPredicate { $0.built == value } }
            NotEqualToComparator { value in GadgetPredicate { $0.built != value } }
            LessThanComparator { value in GadgetPredicate { $0.built < value } }
            GreaterThanComparator { value in GadgetPredicate { $0.built > value } }
            IsBetweenComparator { low, high in GadgetPredicate { low <= $0.built && $0.built <= high } }
        }
        Property(\Gadget.$due) {
            EqualToComparator { value in GadgetPredicate { $0.due == value } }
            NotEqualToComparator { value in GadgetPredicate { $0.due != value } }
            LessThanOrEqualToComparator { value in GadgetPredicate { $0.due.map { $0 <= value } ?? false } }
            GreaterThanOrEqualToComparator { value in
                GadgetPredicate { $0.due.map { $0 >= value } ?? false }
            }
            IsBetweenComparator { low, high in
                GadgetPredicate { $0.due.map { low <= $0 && $0 <= high } ?? false }
            }
        }
        Property(\Gadget.$colour) {
            EqualToComparator { value in GadgetPredicate { $0.colour == value } }
            NotEqualToComparator { value in GadgetPredicate { $0.colour != value } }
        }
        Property(\Gadget.$tags) {
            EqualToComparator { value in GadgetPredicate { $0.tags == value } }
            NotEqualToComparator { value in GadgetPredicate { $0.tags != value } }
            ContainsComparator { value in GadgetPredicate { $0.tags.contains(value) } }
        }
        Property(\Gadget.$sizes) {
            EqualToComparator { value in GadgetPredicate { $0.sizes == value } }
            NotEqualToComparator { value in GadgetPredicate { $0.sizes != value } }
            ContainsComparator { value in GadgetPredicate { $0.sizes?.contains(value) ?? false } }
        }
        Property(\Gadget.$isNew) {
            EqualToComparator { value in GadgetPredicate { $0.isNew == value } }
            NotEqualToComparator { value in GadgetPredicate { $0.isNew != value } }
        }
        Property(\Gadget.$shelf) {
            EqualToComparator { value in GadgetPredicate { $0.shelf == value } }
            LessThanComparator { value in GadgetPredicate { $0.shelf < value } }
        }
        Property(\Gadget.$secret) {
            EqualToComparator { value in GadgetPredicate { $0.secret == value } }
            ContainsComparator { value in GadgetPredicate { value.isEmpty || $0.secret.contains(value) } }
        }
    }

    static let sortingOptions = SortingOptions()

    func entities(for identifiers: [Int]) async throws -> [Gadget] {
        GadgetStore.all.filter { identifiers.contains($0.id) }
    }

    /// Returns the gadgets that fit; the order and the limit are left to the test.
    func entities(
        matching comparators: [GadgetPredicate], mode: ComparatorMode, sortedBy: [Sort<Gadget>], limit: Int?
    ) async throws -> [Gadget] {
        guard !comparators.isEmpty else { return GadgetStore.all }
        return GadgetStore.all.filter { gadget in
            mode == .and
                ? comparators.allSatisfy { $0.test(gadget) } : comparators.contains { $0.test(gadget) }
        }
    }
}

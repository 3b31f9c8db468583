import AppIntents

/// A query that the index answers.
struct IndexedGadgetQuery: EntityPropertyQuery {
    typealias Entity = Gadget
    typealias ComparatorMappingType = IndexedComparator

    static let properties = QueryProperties {
        Property(\Gadget.$name) {
            EqualToComparator()
            NotEqualToComparator()
            LessThanComparator()
            ContainsComparator()
            HasPrefixComparator()
            HasSuffixComparator()
        }
        Property(\Gadget.$note) {
            EqualToComparator()
            NotEqualToComparator()
            ContainsComparator()
            HasPrefixComparator()
            HasSuffixComparator()
        }
        Property(\Gadget.$rating) {
            EqualToComparator()
            NotEqualToComparator()
            LessThanComparator()
            LessThanOrEqualToComparator()
            GreaterThanComparator()
            GreaterThanOrEqualToComparator()
            IsBetweenComparator()
        }
        Property(\Gadget.$pages) {
            EqualToComparator()
            NotEqualToComparator()
            LessThanComparator()
            GreaterThanOrEqualToComparator()
            IsBetweenComparator()
        }
        Property(\Gadget.$weight) {
            EqualToComparator()
            NotEqualToComparator()
            LessThanComparator()
            LessThanOrEqualToComparator()
            GreaterThanComparator()
            GreaterThanOrEqualToComparator()
            IsBetweenComparator()
        }
        Property(\Gadget.$built) {
            EqualToComparator()
            NotEqualToComparator()
            LessThanComparator()
            GreaterThanComparator()
            IsBetweenComparator()
        }
        Property(\Gadget.$due) {
            EqualToComparator()
            NotEqualToComparator()
            LessThanOrEqualToComparator()
            GreaterThanOrEqualToComparator()
            IsBetweenComparator()
        }
        Property(\Gadget.$colour) {
            EqualToComparator()
            NotEqualToComparator()
        }
        Property(\Gadget.$tags) {
            EqualToComparator()
            NotEqualToComparator()
            ContainsComparator()
        }
        Property(\Gadget.$sizes) {
            EqualToComparator()
            NotEqualToComparator()
            ContainsComparator()
        }
        Property(\Gadget.$isNew) {
            EqualToComparator()
            NotEqualToComparator()
        }
        Property(\Gadget.$shelf) {
            EqualToComparator()
            LessThanComparator()
        }
        Property(\Gadget.$secret) {
            EqualToComparator()
            ContainsComparator()
        }
    }

    static let sortingOptions = SortingOptions {
        SortableBy(\Gadget.$name)
        SortableBy(\Gadget.$note)
        SortableBy(\Gadget.$rating)
        SortableBy(\Gadget.$weight)
        SortableBy(\Gadget.$due)
        SortableBy(\Gadget.$sizes)
        SortableBy(\Gadget.$secret)
    }

    func entities(for identifiers: [Int]) async throws -> [Gadget] {
        let wanted = Set(identifiers)
        // The order is not that of the identifiers.
        return GadgetStore.all.filter { wanted.contains($0.id) }
    }
}

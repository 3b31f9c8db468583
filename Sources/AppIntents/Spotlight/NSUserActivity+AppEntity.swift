public import CoreSpotlight

extension NSUserActivity: AppEntityAnnotatable {
    /// The entity that the activity is about; it goes with the activity to other machines.
    public var appEntityIdentifier: EntityIdentifier? {
        get { contentAttributeSet.flatMap { EntityAssociation($0) }?.entityIdentifier }
        set {
            let attributes =
                contentAttributeSet?.copy() as? CSSearchableItemAttributeSet ?? CSSearchableItemAttributeSet()
            EntityAssociation.remove(from: attributes)
            if let newValue { EntityAssociation(newValue).write(to: attributes) }
            contentAttributeSet = attributes
        }
    }
}

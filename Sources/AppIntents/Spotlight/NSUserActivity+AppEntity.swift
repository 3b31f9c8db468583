public import CoreSpotlight

extension NSUserActivity: AppEntityAnnotatable {
    /// The entity that the activity is about; it goes with the activity to other machines.
    public var appEntityIdentifier: EntityIdentifier? {
        get { contentAttributeSet.flatMap { EntityAssociation(.subject, of: $0) }?.entityIdentifier }
        set {
            if newValue == nil, contentAttributeSet == nil { return }
            let attributes =
                contentAttributeSet?.copy() as? CSSearchableItemAttributeSet ?? CSSearchableItemAttributeSet()
            EntityAssociation.remove(.subject, from: attributes)
            if let newValue { EntityAssociation(newValue).write(.subject, to: attributes) }
            contentAttributeSet = attributes
        }
    }
}

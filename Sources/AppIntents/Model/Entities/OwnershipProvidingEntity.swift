/// An entity that says to whom it belongs; on Linux a mark.
public protocol OwnershipProvidingEntity: AppEntity {}

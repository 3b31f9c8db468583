/// An entity that says to whom it belongs; on Linux only a marker.
public protocol OwnershipProvidingEntity: AppEntity {}

import Foundation

/// Uses names that only an import of CoreSpotlight brings.
func describe(_ item: CSSearchableItem) -> String {
    let type: UTType? = item.attributeSet.contentType.flatMap { UTType($0) }
    return "\(item.uniqueIdentifier), \(type?.identifier ?? "")"
}

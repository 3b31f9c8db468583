/// Indexes of apps.
package enum AppIndex {
    /// The index that is used if none is named.
    package static let usual = "default"
}

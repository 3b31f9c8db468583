/// Names of the indexes of apps.
package enum AppIndex {
    /// The index that is used if an app or a person names none.
    package static let usual = "default"
}

/// The version of the program.
///
/// The node and its clients have the same version.
package enum Build {
    package static let version = "0.1.0"
}

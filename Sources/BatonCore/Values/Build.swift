/// The version of the program, the same for the node and for all that talks to it.
package enum Build {
    package static let version = "0.1.0"
}

import BatonClient
package import BatonCore
import BatonNetwork
public import Dispatch
import Foundation

/// This program as its node knows it: the identity of the app, and the activities and items that it continues and
/// opens.
///
/// On Apple's systems, the identity and the types are in a bundle, and UIKit or AppKit pass on what is continued. A
/// program on Linux declares its identity and types with this class, in a manifest, or both.
///
///     BatonApplication.shared.identifier = "org.example.notes"
///     BatonApplication.shared.delegate = delegate
///     NSUserActivity.onContinue("org.example.notes.edit") { activity in … }
///
/// **Identity.** The node keeps what an app indexes and saves under the app's identifier, which is in reverse DNS. It
/// is the value of `identifier`, else the environment variable `BATON_APP`, else `local.` and the name of the
/// executable.
///
/// **Manifest.** `$XDG_DATA_HOME/baton/apps/ID.json` (`~/.local/share/baton/apps/ID.json`) declares the app, so that
/// `baton continue` and `baton search --open` can start it:
///
///     { "title": "Notes", "types": ["org.example.notes.edit"], "run": ["/usr/bin/notes"], "searches": true }
///
/// **Callbacks** are made one after the other. The methods of `delegate` are called on the main actor. The methods of
/// an activity's delegate, and closures, are called on the queue that `callbackQueue` describes.
public final class BatonApplication: Sendable {
    /// The application object of this program.
    public static let shared = BatonApplication()

    let callbacks = CallbackQueue()
    let log = ActivityLog()
    private let state = Monitor(State())
    /// The connection to the node, and the name of this process's instance; after a fork, the child makes its own.
    private let process = PerProcess { ProcessState() }

    /// `@unchecked` because the compiler can't see that only one thread at a time uses the app's own objects.
    private struct State: @unchecked Sendable {
        var identifier: String?
        /// Whether the app has set the identifier itself.
        var isIdentifierSet = false
        /// Whether the node already knows the identifier, so that it can't change any more.
        var isFixed = false
        var name: String?
        weak var delegate: (any BatonApplicationDelegate)?
        var activityTypes: [String] = []
        var continuesSearches = false
        var handlers: [(pattern: TypePattern, perform: Unchecked<(NSUserActivity) -> Void>)] = []
        var manifest: AppManifest??
    }

    private struct ProcessState: Sendable {
        let home: Home
        let client: NodeClient
        let instance: String

        init() {
            do throws(LocalFailure) {
                (home, instance) = try (Self.findHome(), Self.findInstance())
            } catch {
                preconditionFailure("the node of this program can't be named: \(error.text)")
            }
            client = NodeClient(home)
        }

        /// Finds the home by the variables of this process.
        static func findHome() throws(LocalFailure) -> Home {
            try Home(option: nil, environment: variable)
        }

        /// Finds a name for this process.
        static func findInstance() throws(LocalFailure) -> String { try ShellInstance.ownApp().name }

        /// Returns the value of a variable.
        ///
        /// If a program has no `HOME`, as a service may, the person's home folder is used.
        private static func variable(_ name: String) -> String? {
            Environment.variable(name) ?? (name == "HOME" ? NSHomeDirectory() : nil)
        }
    }

    private init() {}

    // MARK: Identity

    /// The app's identifier, in reverse DNS.
    ///
    /// Set the identifier before the first use of an activity or an index. If it is set to another value after that,
    /// the program ends.
    public var identifier: String {
        get { state.change { Self.identifier($0) } }
        set {
            precondition(
                !newValue.isEmpty,
                "the identifier of an app is its name in reverse DNS, such as org.example.notes")
            state.change { state in
                precondition(
                    !state.isFixed || Self.identifier(state) == newValue,
                    "set the app's identifier before the first use of an activity or an index")
                (state.identifier, state.isIdentifierSet, state.manifest) = (newValue, true, nil)
            }
        }
    }

    /// Whether the identifier is the one in `BATON_APP`, which another program may have set for itself or for an app
    /// that it has started.
    package var isIdentifierInherited: Bool {
        state.change { !$0.isIdentifierSet } && !(Environment.variable("BATON_APP") ?? "").isEmpty
    }

    private static func identifier(_ state: State) -> String {
        if let identifier = state.identifier { return identifier }
        if let named = Environment.variable("BATON_APP"), !named.isEmpty { return named }
        return "local." + executableName
    }

    /// The name of the executable, in which a hyphen replaces each character that identifiers can't contain.
    private static var executableName: String {
        let path = OwnProgram.path ?? CommandLine.arguments.first ?? ""
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let letters = name.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                ? Character(scalar) : "-"
        }
        return letters.isEmpty ? "app" : String(letters)
    }

    /// The identifier; after this, it can't be changed.
    var fixedIdentifier: String {
        state.change { state in
            let identifier = Self.identifier(state)
            (state.identifier, state.isFixed) = (identifier, true)
            return identifier
        }
    }

    /// The name of the app that people see; if it is not set, the title in the manifest.
    public var name: String? {
        get { state.change { $0.name } ?? manifest?.title }
        set { state.change { $0.name = newValue } }
    }

    /// The connection to the node, which all code in this process shares.
    var client: NodeClient { process.value.client }

    /// The home of the node; the program ends if the variables of this process name none.
    package var home: Home { process.value.home }

    /// Returns the home of the node; throws if the variables of this process name none.
    package func findHome() throws(LocalFailure) -> Home { try ProcessState.findHome() }

    /// Throws if the first use of an activity or an index would end the program.
    package func checkNode() throws(LocalFailure) {
        _ = try (ProcessState.findHome(), ProcessState.findInstance())
    }

    /// The identifiers of the app and of this process's instance.
    var instanceName: AppName { AppName(app: fixedIdentifier, instance: process.value.instance) }

    // MARK: Continuing and opening

    /// The object that gets the activities that a person continues and the items that a person opens; it is held
    /// weakly.
    ///
    /// Its methods are called on the main actor. Once the delegate is set, the app is registered for the types of its
    /// manifest and of `activityTypes`. It is also registered for opening its items from searches.
    public var delegate: (any BatonApplicationDelegate)? {
        get { state.change { Unchecked($0.delegate) }.value }
        set {
            let delegate = Unchecked(newValue)
            state.change { $0.delegate = delegate.value }
            ActivityCenter.shared.handleRegistration()
            takeOverAtStart()
        }
    }

    /// The types of activities that the delegate continues, in addition to the types of the manifest.
    ///
    /// For example, `org.example.notes.*` matches all types that begin with `org.example.notes.`.
    public var activityTypes: [String] {
        get { state.change { $0.activityTypes } }
        set {
            state.change { $0.activityTypes = newValue }
            ActivityCenter.shared.handleRegistration()
        }
    }

    /// Whether the delegate continues searches; the manifest can also declare this, with `searches`.
    public var continuesSearches: Bool {
        get { state.change { $0.continuesSearches } || manifest?.searches ?? false }
        set {
            state.change { $0.continuesSearches = newValue }
            ActivityCenter.shared.handleRegistration()
        }
    }

    /// The queue for callbacks that are not isolated to the main actor.
    ///
    /// The default, nil, means the main queue if the program runs the main queue. A program runs it with
    /// `dispatchMain()`, `RunLoop.main.run()` or an asynchronous `main`, and need not say so. A callback is first given
    /// to the main queue. If the main thread does not take it, and waits for something else for a fifth of a second,
    /// such as for a line of input, the callback is called on a serial queue of this module. If the main thread is
    /// busy, the callback waits. Once the main queue has run a callback, later callbacks use the serial queue only
    /// while the main thread reads standard input.
    public var callbackQueue: DispatchQueue? {
        get { callbacks.chosen }
        set { callbacks.chosen = newValue }
    }

    /// The manifest of the app; nil if there is none.
    private var manifest: AppManifest? {
        let (known, identifier) = state.change { ($0.manifest, Self.identifier($0)) }
        if let known { return known }
        let manifest: AppManifest?
        do throws(LocalFailure) {
            manifest = try AppManifest.read(identifier, in: findHome())
        } catch {
            manifest = nil
            log.fault("The app's manifest is not used. \(error)")
        }
        state.change { $0.manifest = .some(manifest) }
        return manifest
    }

    /// The types that the manifest and `activityTypes` declare.
    var declaredTypes: [String] { (manifest?.types ?? []) + activityTypes }

    /// The types that the app must be registered for, sorted; empty if the app continues nothing.
    var handledTypes: [String] {
        var types = Set(state.change { $0.handlers.map(\.pattern.description) })
        if delegate != nil {
            types.formUnion(declaredTypes)
            types.insert(CSSearchableItemActionType)
            if continuesSearches { types.insert(CSQueryContinuationActionType) }
        }
        return types.sorted()
    }

    /// Adds a closure that continues activities whose types match a pattern.
    ///
    /// It is called after the closures that were added before.
    func add(_ pattern: String, _ perform: @escaping (NSUserActivity) -> Void) {
        guard let types = TypePattern(pattern) else {
            preconditionFailure(
                "“\(pattern)” is neither a type of activities nor a pattern such as org.example.*")
        }
        let perform = Unchecked(perform)
        state.change { $0.handlers.append((types, perform)) }
        ActivityCenter.shared.handleRegistration()
        takeOverAtStart()
    }

    /// Returns the closures for a type, in the order in which they were added.
    func handlers(for type: String) -> [(NSUserActivity) -> Void] {
        let handlers = state.change { state in
            Unchecked(state.handlers.filter { $0.pattern.matches(type) }.map(\.perform.value))
        }
        return handlers.value
    }
}

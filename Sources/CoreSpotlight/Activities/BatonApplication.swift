import BatonClient
import BatonCore
import BatonNetwork
public import Dispatch
import Foundation

/// This program, as the node of this machine knows it: its identity, and what it continues and opens.
///
/// On Apple's systems the identity and the types are in a bundle, and UIKit or AppKit hand over what is continued. A
/// program on Linux declares its identity and types here, in a manifest, or both.
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
/// **Callbacks** are made one after the other: those of `delegate` on the main actor, and those of an activity's
/// delegate and of closures as `callbackQueue` says.
public final class BatonApplication: Sendable {
    /// This program.
    public static let shared = BatonApplication()

    let callbacks = CallbackQueue()
    let log = ActivityLog()
    private let state = Monitor(State())
    /// The connection to the node, and the name of this process; a forked child has its own.
    private let process = PerProcess { ProcessState() }

    /// Unchecked because the compiler can't see that one thread at a time uses the app's own objects.
    private struct State: @unchecked Sendable {
        var identifier: String?
        /// Whether the node knows the identifier already.
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
                home = try Home(option: nil, environment: Self.variable)
                instance = try ShellInstance.ownApp().name
            } catch {
                preconditionFailure("the node of this program can't be named: \(error.text)")
            }
            client = NodeClient(home)
        }

        /// The value of a variable; a program without `HOME`, such as a service, has the person's home folder.
        private static func variable(_ name: String) -> String? {
            Environment.variable(name) ?? (name == "HOME" ? NSHomeDirectory() : nil)
        }
    }

    private init() {}

    // MARK: Identity

    /// The app's identifier, in reverse DNS.
    ///
    /// Set it before the first use of an activity or an index; after that, the program ends if it is set to another
    /// value.
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
                (state.identifier, state.manifest) = (newValue, nil)
            }
        }
    }

    private static func identifier(_ state: State) -> String {
        if let identifier = state.identifier { return identifier }
        if let named = Environment.variable("BATON_APP"), !named.isEmpty { return named }
        return "local." + executableName
    }

    /// The name of the executable, with a hyphen for each character that identifiers don't have.
    private static var executableName: String {
        let path = OwnProgram.path ?? CommandLine.arguments.first ?? ""
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let letters = name.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                ? Character(scalar) : "-"
        }
        return letters.isEmpty ? "app" : String(letters)
    }

    /// The identifier, which stays the same from now on.
    var fixedIdentifier: String {
        state.change { state in
            let identifier = Self.identifier(state)
            (state.identifier, state.isFixed) = (identifier, true)
            return identifier
        }
    }

    /// The name of the app for people; the manifest's title if it is not set.
    public var name: String? {
        get { state.change { $0.name } ?? manifest?.title }
        set { state.change { $0.name = newValue } }
    }

    /// The connection to the node that everything of this process shares.
    var client: NodeClient { process.value.client }

    /// The home of the node.
    var home: Home { process.value.home }

    /// The app, and the instance of this process.
    var instanceName: AppName { AppName(app: fixedIdentifier, instance: process.value.instance) }

    // MARK: Continuing and opening

    /// The object that gets what a person continues and opens; it is held weakly.
    ///
    /// Its methods are called on the main actor. Once it is set, the app is registered for the types of its manifest
    /// and of `activityTypes`, and for opening its items from searches.
    public var delegate: (any BatonApplicationDelegate)? {
        get { state.change { Unchecked($0.delegate) }.value }
        set {
            let delegate = Unchecked(newValue)
            state.change { $0.delegate = delegate.value }
            ActivityCenter.shared.handleRegistration()
            takeOverAtStart()
        }
    }

    /// Types that the delegate continues, besides those of the manifest; `org.example.notes.*` stands for all types
    /// below it.
    public var activityTypes: [String] {
        get { state.change { $0.activityTypes } }
        set {
            state.change { $0.activityTypes = newValue }
            ActivityCenter.shared.handleRegistration()
        }
    }

    /// Whether the delegate continues searches; the manifest can declare that, too, by `searches`.
    public var continuesSearches: Bool {
        get { state.change { $0.continuesSearches } || manifest?.searches ?? false }
        set {
            state.change { $0.continuesSearches = newValue }
            ActivityCenter.shared.handleRegistration()
        }
    }

    /// The queue of callbacks that are not isolated to the main actor; nil, the default, for the main queue if the
    /// program runs one.
    ///
    /// With nil a program need not say whether it runs the main queue, as `dispatchMain()`, `RunLoop.main.run()` and an
    /// asynchronous `main` do. A callback is given to the main queue. If the main thread does not take it and waits for
    /// something else for a fifth of a second, such as for a line of input, the callback comes on a serial queue of
    /// this module. A main thread that is busy is waited for. Once the main queue has run a callback, later callbacks
    /// come on the other queue only while the main thread reads standard input.
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
            manifest = try AppManifest.read(identifier, in: home)
        } catch {
            manifest = nil
            log.fault("The app's manifest is not used. \(error)")
        }
        state.change { $0.manifest = .some(manifest) }
        return manifest
    }

    /// The types that the manifest and the program declare.
    var declaredTypes: [String] { (manifest?.types ?? []) + activityTypes }

    /// The types for which the app is to be registered, sorted; empty if the app continues nothing.
    var handledTypes: [String] {
        var types = Set(state.change { $0.handlers.map(\.pattern.description) })
        if delegate != nil {
            types.formUnion(declaredTypes)
            types.insert(CSSearchableItemActionType)
            if continuesSearches { types.insert(CSQueryContinuationActionType) }
        }
        return types.sorted()
    }

    /// Adds a closure that continues activities of the types that a pattern matches; it is called after earlier
    /// closures.
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

    /// The closures for a type, in the order in which they were added.
    func handlers(for type: String) -> [(NSUserActivity) -> Void] {
        let handlers = state.change { state in
            Unchecked(state.handlers.filter { $0.pattern.matches(type) }.map(\.perform.value))
        }
        return handlers.value
    }
}

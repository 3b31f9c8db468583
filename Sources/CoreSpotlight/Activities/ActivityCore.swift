import BatonCore
import BatonNetwork
import Foundation
import Synchronization

/// The state of one `NSUserActivity`; it may be used from any thread.
final class ActivityCore: Sendable {
    let type: String
    /// The number of this activity, which no other activity of this process has.
    let number: UInt64
    /// The activity that is continued here, as the node describes it; nil for an activity that the app has created.
    let continued: ActivitySummary?
    private let state: Monitor<State>

    /// `@unchecked` because the compiler can't see that only one thread at a time uses the app's own objects.
    private struct State: @unchecked Sendable {
        var content: ActivityContent
        var needsSave = false
        /// The number of times that the delegate was asked to save.
        var saveCount = 0
        var isInvalid = false
        /// The attribute set that the app gave; the app may still change it.
        var attributeSet: CSSearchableItemAttributeSet?
        weak var activity: NSUserActivity?
        weak var delegate: (any NSUserActivityDelegate)?
    }

    /// Whether the app has ever made the activity current; before that, the node need not know of the activity.
    private let isOffered = Atomic<Bool>(false)

    private static let count = Atomic<UInt64>(0)

    init(type: String, content: ActivityContent = ActivityContent(), continued: ActivitySummary? = nil) {
        (self.type, self.continued) = (type, continued)
        number = Self.count.add(1, ordering: .relaxed).newValue
        var state = State(content: content)
        state.attributeSet = content.attributes.map { CSSearchableItemAttributeSet($0) }
        self.state = Monitor(state)
    }

    // MARK: The activity's properties

    /// The content, with the present attributes.
    var content: ActivityContent {
        state.change { state in
            state.content.attributes = state.attributeSet?.attributes
            return state.content
        }
    }

    /// Changes the content; if the activity is current, the node is told.
    func change(_ body: (inout ActivityContent) -> Void) {
        state.change { body(&$0.content) }
        tellCenter()
    }

    var needsSave: Bool { state.change { $0.needsSave } }

    /// Sets whether the delegate has to save the activity before it is sent.
    func set(needsSave: Bool) {
        state.change { $0.needsSave = needsSave }
        if needsSave { tellCenter() }
    }

    /// Tells the activity center of a change, which sends it to the node if the activity is current.
    private func tellCenter() {
        if isOffered.load(ordering: .relaxed) { ActivityCenter.shared.handleChange(of: self) }
    }

    // MARK: Being current

    func becomeCurrent() {
        guard !isInvalid else { return }
        isOffered.store(true, ordering: .relaxed)
        ActivityCenter.shared.becomeCurrent(self)
    }

    func resign() {
        if isOffered.load(ordering: .relaxed) { ActivityCenter.shared.resign(self) }
    }

    /// Ends the activity permanently.
    func invalidate() {
        state.change { $0.isInvalid = true }
        if isOffered.load(ordering: .relaxed) { ActivityCenter.shared.finish(self) }
    }

    /// Notes that the app has released the activity.
    func handleRelease() {
        if isOffered.load(ordering: .relaxed) { ActivityCenter.shared.handleRelease(of: self) }
    }

    private var isInvalid: Bool { state.change { $0.isInvalid } }

    /// The attribute set that the app has assigned; it may be changed from only one thread at a time.
    var attributeSet: CSSearchableItemAttributeSet? {
        get { state.change { Unchecked($0.attributeSet) }.value }
        set {
            let copy = Unchecked(newValue?.copy() as? CSSearchableItemAttributeSet)
            state.change { $0.attributeSet = copy.value }
            tellCenter()
        }
    }

    var delegate: (any NSUserActivityDelegate)? {
        get { state.change { Unchecked($0.delegate) }.value }
        set {
            let delegate = Unchecked(newValue)
            state.change { $0.delegate = delegate.value }
        }
    }

    /// The object that the app holds; nil once the object is released.
    var activity: NSUserActivity? { state.change { Unchecked($0.activity) }.value }

    /// Stores a weak reference to the object that the app holds.
    func set(_ activity: NSUserActivity) {
        let activity = Unchecked(activity)
        state.change { $0.activity = activity.value }
    }

    // MARK: The delegate

    /// Whether the delegate can be called only on the main actor.
    ///
    /// If the delegate's conformance is isolated to the main actor, a cast finds the conformance only there. So read
    /// this property on another thread.
    var isDelegateOnMain: Bool { delegate.map { !Self.canBeCalledHere($0) } ?? false }

    /// Not inlined, because otherwise the compiler would answer from the static type at the call.
    @inline(never) private static func canBeCalledHere(_ object: Any) -> Bool {
        object is any NSUserActivityDelegate
    }

    /// The number of times that the delegate was asked to save.
    var saveCount: Int { state.change { $0.saveCount } }

    /// Asks the delegate to bring the activity up to date, unless the delegate was asked since `saveCount` was `count`.
    ///
    /// Returns whether the delegate was asked by this call. Call this where the delegate can be called.
    func save(since count: Int) -> Bool {
        let isDue = state.change { state in
            guard state.saveCount == count else { return false }
            // Changes that the delegate makes during this call need no further save, even if the delegate sets
            // `needsSave`.
            (state.saveCount, state.needsSave) = (count + 1, false)
            return true
        }
        guard isDue else { return false }
        if let activity, let delegate { delegate.userActivityWillSave(activity) }
        state.change { $0.needsSave = false }
        return true
    }

    /// Tells the delegate that another device continues the activity.
    ///
    /// Call this where the delegate can be called.
    func tellOfContinuation() {
        guard let activity, let delegate else { return }
        delegate.userActivityWasContinued(activity)
    }

    /// Passes the streams that another device requested to the delegate.
    ///
    /// Call this where the delegate can be called.
    func hand(_ input: InputStream, _ output: OutputStream) {
        guard let activity, let delegate else {
            input.close()
            output.close()
            return
        }
        delegate.userActivity(activity, didReceive: input, outputStream: output)
    }
}

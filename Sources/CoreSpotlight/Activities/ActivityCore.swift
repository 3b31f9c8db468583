import BatonCore
import BatonNetwork
import Foundation
import Synchronization

/// The state of one `NSUserActivity`, which any thread may use.
final class ActivityCore: Sendable {
    let type: String
    /// Tells this activity from all others of this process.
    let number: UInt64
    /// The activity of the node that this activity continues; nil for an activity that the app made.
    let continued: ActivitySummary?
    private let state: Monitor<State>

    /// Unchecked because the compiler can't see that one thread at a time uses the app's own objects.
    private struct State: @unchecked Sendable {
        var content: ActivityContent
        var needsSave = false
        /// How often the delegate was asked to save.
        var saveCount = 0
        var isInvalid = false
        /// The set that the app gave, which it may still change.
        var attributeSet: CSSearchableItemAttributeSet?
        weak var activity: NSUserActivity?
        weak var delegate: (any NSUserActivityDelegate)?
    }

    /// Whether the app has ever made the activity current; until then the node need not know of it.
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

    /// The content, with the attributes as they are now.
    var content: ActivityContent {
        state.change { state in
            state.content.attributes = state.attributeSet?.attributes
            return state.content
        }
    }

    /// Changes the content, and tells the node if the activity is current.
    func change(_ body: (inout ActivityContent) -> Void) {
        state.change { body(&$0.content) }
        tellCenter()
    }

    var needsSave: Bool { state.change { $0.needsSave } }

    /// Notes whether the activity has to be saved before it is sent.
    func set(needsSave: Bool) {
        state.change { $0.needsSave = needsSave }
        if needsSave { tellCenter() }
    }

    /// Tells the node of a change, if the activity is current.
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

    /// Makes the activity invalid permanently.
    func invalidate() {
        state.change { $0.isInvalid = true }
        if isOffered.load(ordering: .relaxed) { ActivityCenter.shared.finish(self) }
    }

    /// Notes that the app has released the activity.
    func handleRelease() {
        if isOffered.load(ordering: .relaxed) { ActivityCenter.shared.handleRelease(of: self) }
    }

    private var isInvalid: Bool { state.change { $0.isInvalid } }

    /// The attribute set that the app has assigned; only one thread at a time may change it.
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

    /// The object that the app holds; nil once it is released.
    var activity: NSUserActivity? { state.change { Unchecked($0.activity) }.value }

    /// Sets the object that the app holds.
    func set(_ activity: NSUserActivity) {
        let activity = Unchecked(activity)
        state.change { $0.activity = activity.value }
    }

    // MARK: The delegate

    /// Whether the delegate can be called on the main actor alone.
    ///
    /// A cast finds a conformance that is isolated to the main actor only on the main actor, so read this on another
    /// thread.
    var isDelegateOnMain: Bool { delegate.map { !Self.canBeCalledHere($0) } ?? false }

    /// Not inlined, because the compiler would otherwise take the answer from the static type at the call.
    @inline(never) private static func canBeCalledHere(_ object: Any) -> Bool {
        object is any NSUserActivityDelegate
    }

    /// How often the delegate was asked to save.
    var saveCount: Int { state.change { $0.saveCount } }

    /// Has the delegate bring the activity up to date, unless it was asked since `saveCount` was `count`; returns
    /// whether it was asked now.
    ///
    /// Call it where the delegate can be called.
    func save(since count: Int) -> Bool {
        let isDue = state.change { state in
            guard state.saveCount == count else { return false }
            // Changes that the delegate makes now need no further save, even if it sets `needsSave`.
            (state.saveCount, state.needsSave) = (count + 1, false)
            return true
        }
        guard isDue else { return false }
        if let activity, let delegate { delegate.userActivityWillSave(activity) }
        state.change { $0.needsSave = false }
        return true
    }

    /// Tells the delegate that another device continues the activity; call it where the delegate can be called.
    func tellOfContinuation() {
        guard let activity, let delegate else { return }
        delegate.userActivityWasContinued(activity)
    }

    /// Gives the delegate the streams that another device requested; call it where the delegate can be called.
    func hand(_ input: InputStream, _ output: OutputStream) {
        guard let activity, let delegate else {
            input.close()
            output.close()
            return
        }
        delegate.userActivity(activity, didReceive: input, outputStream: output)
    }
}

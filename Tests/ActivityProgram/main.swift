// A program that uses activities, for tests: it does what each line of its input says, and prints what it is told.
//
// The argument says how its main thread waits: `runloop`, `dispatch`, `readline` or `async`.

import CoreSpotlight
import Intents
import Synchronization

/// An intent with a detail, as an app has it.
final class OrderSoupIntent: INIntent {
    let soup: String

    init(_ soup: String) {
        self.soup = soup
        super.init()
        suggestedInvocationPhrase = "Order \(soup)"
    }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(soup as NSString, forKey: "soup")
        coder.encode(Int64(soup.utf8.count), forKey: "length")
    }

    required init?(coder: NSCoder) {
        soup = coder.decodeObject(of: NSString.self, forKey: "soup").map { $0 as String } ?? "?"
        super.init(coder: coder)
    }
}

/// An intent whose class no archive can name.
enum Kitchen {
    final class CleanIntent: INIntent {}
}

/// Prints a line at once.
func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

/// Where a callback comes.
nonisolated func place() -> String { DispatchQueue.getSpecific(key: mainQueue) == nil ? "elsewhere" : "main" }

/// Marks the main queue, which other threads than the main one serve after `dispatchMain()`.
let mainQueue = DispatchSpecificKey<Bool>()

/// The payload for people: keys in order, with the values' types where a cast shows them.
func text(_ info: [AnyHashable: Any]?) -> String {
    guard let info else { return "nil" }
    return info.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ",")
}

/// Gets what a person continues, on the main actor.
final class Delegate: BatonApplicationDelegate {
    private let program: Program

    nonisolated init(_ program: Program) { self.program = program }

    func application(
        _ application: BatonApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard userActivity.title != "refused" else { return false }
        program.keep(userActivity, "delegate")
        return true
    }

    func application(
        _ application: BatonApplication, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) {
        say("failed \(userActivityType) \((error as? CocoaError)?.code.rawValue ?? 0)")
    }

    func application(
        _ application: BatonApplication, didFailToOffer userActivity: NSUserActivity, error: any Error
    ) {
        say("not offered \((error as? CocoaError)?.code.rawValue ?? 0)")
    }
}

/// The delegate of an activity that can be called on the main actor alone.
@MainActor final class MainDelegate: NSObject, @MainActor NSUserActivityDelegate {
    nonisolated override init() { super.init() }

    func serve(_ activity: NSUserActivity) { activity.delegate = self }

    func userActivityWillSave(_ userActivity: NSUserActivity) { say("saved by the main actor on \(place())") }
}

final class Program: NSObject, NSUserActivityDelegate, StreamDelegate,
    // Unchecked because its variables are used where callbacks are called, one after the other.
    @unchecked Sendable
{
    private var activities: [String: NSUserActivity] = [:]
    private var continued: NSUserActivity?
    private var saves = 0
    private var delegate: Delegate?
    private let mainDelegate = MainDelegate()
    /// Whether activities end once they were continued.
    private var leaves = false
    private var streams: (input: InputStream, output: OutputStream)?
    /// Whether streams are used by events of a run loop; else by blocking calls.
    private var usesEvents = false
    /// Bytes that are to be written by events, and those that were read by them.
    private var (unwritten, heard): ([UInt8], Int) = ([], 0)

    // MARK: Lines

    func take(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        let name = words.count > 1 ? words[1] : ""
        switch words.first ?? "" {
        case "make":  // make NAME TYPE TITLE
            let activity = NSUserActivity(activityType: words[2])
            activity.title = words[3]
            activity.delegate = self
            activities[name] = activity
        case "weak":  // weak TYPE TITLE
            let activity = NSUserActivity(activityType: name)
            activity.title = words[2]
            activity.isEligibleForSearch = true
            activity.becomeCurrent()
        case "set":  // set NAME KEY VALUE
            activities[name]?.addUserInfoEntries(from: [words[2]: words[3]])
        case "kinds":
            activities[name]?.userInfo = [
                "integer": 5, "real": 1.5, "boolean": true, "text": "t", "data": Data([1, 2]),
                "date": Date(timeIntervalSince1970: 1000), "url": URL(string: "https://a.example/")!,
                "uuid": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!, "list": [1, 2],
                "null": NSNull(), "set": Set(["a"]), "pairs": ["k": 1],
            ]
        case "require": activities[name]?.requiredUserInfoKeys = [words[2]]
        case "leave": leaves = true
        case "search": activities[name]?.isEligibleForSearch = true
        case "local": activities[name]?.isEligibleForHandoff = false
        case "identify": activities[name]?.persistentIdentifier = words[2]
        case "relate":  // relate NAME ITEM
            let attributes = CSSearchableItemAttributeSet(contentType: .text)
            attributes.relatedUniqueIdentifier = words[2]
            activities[name]?.contentAttributeSet = attributes
        case "place":  // place NAME DOMAIN
            let attributes = CSSearchableItemAttributeSet(contentType: .text)
            attributes.domainIdentifier = words[2]
            activities[name]?.contentAttributeSet = attributes
        case "index":  // index ITEM [DOMAIN]
            let attributes = CSSearchableItemAttributeSet(contentType: .text)
            attributes.title = "Item"
            let item = CSSearchableItem(
                uniqueIdentifier: name, domainIdentifier: words.count > 2 ? words[2] : nil,
                attributeSet: attributes)
            CSSearchableIndex.default().indexSearchableItems([item]) { say("indexed \($0 == nil)") }
        case "unindex":
            CSSearchableIndex.default().deleteSearchableItems(withIdentifiers: [name]) {
                say("deleted \($0 == nil)")
            }
        case "clear":  // clear DOMAIN
            CSSearchableIndex.default().deleteSearchableItems(withDomainIdentifiers: [name]) {
                say("cleared \($0 == nil)")
            }
        case "batch":  // batch ITEM: deletes it in a batch
            let index = CSSearchableIndex(name: "batches")
            index.beginBatch()
            index.deleteSearchableItems(withIdentifiers: [name])
            index.endBatch(withClientState: Data()) { say("ended \($0 == nil)") }
        case "dirty": activities[name]?.needsSave = true
        case "main": MainActor.assumeIsolated { mainDelegate.serve(activities[name]!) }
        case "stream": activities[name]?.supportsContinuationStreams = true
        case "current": activities[name]?.becomeCurrent()
        case "resign": activities[name]?.resignCurrent()
        case "invalidate": activities[name]?.invalidate()
        case "release": activities[name] = nil
        case "large":
            activities[name]?.userInfo = ["text": String(repeating: "x", count: Int(words[2])!)]
        case "flood":
            for number in 1...Int(words[2])! { activities[name]?.userInfo = ["number": number] }
        case "handle":
            NSUserActivity.onContinue(name) { [self] activity in keep(activity, "closure") }
        case "delegate":
            BatonApplication.shared.activityTypes = Array(words.dropFirst())
            BatonApplication.shared.continuesSearches = true
            delegate = Delegate(self)
            BatonApplication.shared.delegate = delegate
        case "delete":
            NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: [name]) { say("deleted") }
        case "donate":  // donate IDENTIFIER SOUP [GROUP]
            let interaction = INInteraction(intent: OrderSoupIntent(words[2]), response: nil)
            (interaction.identifier, interaction.direction) = (name, .outgoing)
            interaction.groupIdentifier = words.count > 3 ? words[3] : nil
            interaction.donate { say("donated \($0 == nil)") }
        case "clean":  // clean PHRASE: an intent that is not archived, with an activity to go on with
            let (intent, response) = (Kitchen.CleanIntent(), INIntentResponse())
            intent.suggestedInvocationPhrase = name
            response.userActivity = NSUserActivity(activityType: "org.example.clean")
            response.userActivity?.userInfo = ["room": "kitchen"]
            INInteraction(intent: intent, response: response).donate { say("donated \($0 == nil)") }
        case "write":  // write PERSON TEXT BYTES: a message, with a picture of that many bytes
            let intent = SystemIntents.message(to: name, words[2], pictureBytes: Int(words[3])!)
            INInteraction(intent: intent, response: nil).donate { say("donated \($0 == nil)") }
        case "play":  // play TITLE
            let response = INPlayMediaIntentResponse(code: .success, userActivity: nil)
            INInteraction(intent: SystemIntents.play(name), response: response).donate {
                say("donated \($0 == nil)")
            }
        case "undonate": INInteraction.delete(with: [name]) { say("undonated \($0 == nil)") }
        case "undonate-group":
            INInteraction.delete(with: name) { say("undonated \($0 == nil)") }
        case "undonate-all": INInteraction.deleteAll { say("undonated \($0 == nil)") }
        case "events": usesEvents = true
        case "fork":
            // Swift has no name for it, because most of what a program has does not work in the child.
            typealias Fork = @convention(c) () -> pid_t
            let child = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)()
            if child == 0 {
                alarm(60)
                while true { pause() }
            }
            say("child \(child)")
        case "pour":
            continued?.getContinuationStreams { [self] input, output, error in
                guard let input, let output else {
                    return say("no streams: \((error as? CocoaError)?.code.rawValue ?? 0)")
                }
                begin(input, output, sending: Int(name)!)
            }
        default: break
        }
        say("done \(line)")
    }

    func keep(_ activity: NSUserActivity, _ way: String) {
        continued = activity
        say(
            "continue \(activity.activityType) \(activity.title ?? "-") [\(text(activity.userInfo))] by \(way) on \(place())"
        )
        guard let interaction = activity.interaction else { return }
        let intent = interaction.intent
        if let details = SystemIntents.text(of: intent) {
            let code = (interaction.intentResponse as? INPlayMediaIntentResponse)?.code.rawValue
            return say("\(details) code \(code ?? -1)")
        }
        say(
            "interaction \(type(of: intent)) \((intent as? OrderSoupIntent)?.soup ?? "-") \(interaction.identifier) \(interaction.groupIdentifier ?? "-") \(interaction.direction.rawValue) \(interaction.dateInterval != nil)"
        )
    }

    // MARK: Activities

    func userActivityWillSave(_ userActivity: NSUserActivity) {
        saves += 1
        userActivity.addUserInfoEntries(from: ["saves": saves])
        say("save on \(place())")
    }

    func userActivityWasContinued(_ userActivity: NSUserActivity) {
        say("continued \(userActivity.title ?? "-") on \(place())")
        if leaves { userActivity.invalidate() }
    }

    // MARK: Streams

    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        begin(inputStream, outputStream, sending: 300_000)
    }

    /// Sends that many bytes, and receives what the other side sends.
    private func begin(_ input: InputStream, _ output: OutputStream, sending count: Int) {
        say("streams \(input.streamStatus == .notOpen && output.streamStatus == .notOpen)")
        streams = (input, output)
        unwritten = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        if usesEvents {
            for stream in [input, output] as [Stream] {
                stream.delegate = self
                stream.schedule(in: .main, forMode: .default)
                stream.open()
            }
            return
        }
        let (streams, unwritten) = (Kept(value: (input, output)), unwritten)
        Thread.detachNewThread {
            let output = streams.value.1
            output.open()
            var place = 0
            while place < unwritten.count {
                let count = unwritten[place...].withUnsafeBufferPointer {
                    output.write($0.baseAddress!, maxLength: $0.count)
                }
                guard count > 0 else { return say("write failed: \(output.streamError != nil)") }
                place += count
            }
            output.close()
        }
        Thread.detachNewThread {
            let input = streams.value.0
            input.open()
            var buffer = [UInt8](repeating: 0, count: 10_000)
            var (sum, isRight) = (0, true)
            while true {
                let count = input.read(&buffer, maxLength: buffer.count)
                guard count > 0 else {
                    say(
                        "read \(sum) right \(isRight) end \(input.streamStatus == .atEnd) error \(input.streamError != nil)"
                    )
                    return input.close()
                }
                for byte in buffer.prefix(count) {
                    isRight = isRight && byte == UInt8(truncatingIfNeeded: sum)
                    sum += 1
                }
            }
        }
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        guard let streams else { return }
        switch eventCode {
        case .openCompleted: say("open on \(place())")
        case .hasSpaceAvailable:
            guard !unwritten.isEmpty else { return streams.output.close() }
            let count = unwritten.withUnsafeBufferPointer {
                streams.output.write($0.baseAddress!, maxLength: $0.count)
            }
            unwritten.removeFirst(max(count, 0))
        case .hasBytesAvailable:
            var buffer = [UInt8](repeating: 0, count: 10_000)
            let count = streams.input.read(&buffer, maxLength: buffer.count)
            let isRight = buffer.prefix(max(count, 0)).enumerated().allSatisfy {
                $0.element == UInt8(truncatingIfNeeded: heard + $0.offset)
            }
            heard += max(count, 0)
            if !isRight { say("wrong bytes") }
        case .endEncountered: say("read \(heard) right true end true error false on \(place())")
        case .errorOccurred: say("broken \(aStream.streamError != nil) on \(place())")
        default: break
        }
    }
}

/// Passes streams to the threads that use them, each its own.
struct Kept: @unchecked Sendable {
    let value: (InputStream, OutputStream)
}

DispatchQueue.main.setSpecific(key: mainQueue, value: true)
let program = Program()
let way = CommandLine.arguments.dropFirst().first ?? "runloop"
if way == "readline" {
    say("ready")
    while let line = readLine() { program.take(line) }
    exit(0)
}
Thread.detachNewThread {
    say("ready")
    // Jobs of the main actor, which after `dispatchMain()` is not on the main thread.
    while let line = readLine() { Task { @MainActor in program.take(line) } }
    Task { @MainActor in exit(0) }
}
switch way {
case "dispatch": dispatchMain()
default: RunLoop.main.run()
}

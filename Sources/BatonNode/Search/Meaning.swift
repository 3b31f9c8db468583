import BatonCore
import BatonNetwork
import BatonStore

/// Passes texts to a program of the person that makes vectors of them, and stores the vectors.
///
/// The program is a client of the node, `baton embed`; the node does not start it. While no program is connected,
/// nothing is done and nothing is kept. A search never waits for the program longer than `Limits.meaningTime`.
///
/// The object belongs to the loop's thread.
final class Meaning {
    private let search: SearchThread
    private let account: AccountCore
    private let activities: OwnActivities
    /// Called when search results may change, because new vectors are known.
    private let learned: () -> Void
    private let limits: Limits
    private let deadline, pause: OwnedTimer
    /// The connection that has said that it makes vectors; nil while there is none.
    private var program: Program?
    /// Searches that wait for the meaning of their words, the latest last.
    private var questions: [Question] = []
    /// The meanings of the last searches, the latest last.
    private var known: [(text: String, vector: Embedding)] = []
    private var lastNumber: UInt64 = 0

    private final class Program {
        let session: ObjectIdentifier
        let model: String
        /// The call that waits for texts; nil while the program makes vectors, or does not call.
        var waiting: Answer<TextsReply>?
        /// The texts that the program was given last.
        var given: [UInt64: Given] = [:]
        /// Whether texts are being read.
        var isReading = false
        /// Whether all stored texts have a vector, as far as is known.
        var isDone = false
        /// Texts that were read and not given yet.
        var read: [UnknownMeaning] = []

        init(_ session: ObjectIdentifier, _ model: String) { (self.session, self.model) = (session, model) }
    }

    private enum Given {
        case words(String)
        case thing(UnknownMeaning)
    }

    private struct Question {
        let text: String
        let then: (Embedding?) -> Void
    }

    /// The most texts, and bytes of texts, that the program is given at once: few, so that it is soon free for a
    /// search.
    private static let (textsMost, bytesMost) = (8, 16 << 10)
    private static let (knownMost, questionsMost) = (32, 16)
    private static let modelBytes = 256

    init(
        _ search: SearchThread, of account: AccountCore, _ activities: OwnActivities,
        learned: @escaping () -> Void
    ) {
        self.search = search
        self.account = account
        self.activities = activities
        self.learned = learned
        limits = account.limits
        deadline = OwnedTimer(on: account.loop)
        pause = OwnedTimer(on: account.loop)
    }

    // MARK: Searches

    /// Calls the closure with the meaning of the words of a search; with nil if it is not known in time.
    func find(_ text: String, then: @escaping (Embedding?) -> Void) {
        guard program != nil, !Phrase.all(of: text).isEmpty, text.utf8.count <= Limits.meaningBytes else {
            return then(nil)
        }
        if let vector = known.last(where: { $0.text == text })?.vector { return then(vector) }
        questions.append(Question(text: text, then: then))
        if questions.count > Self.questionsMost { questions.removeFirst().then(nil) }
        if !deadline.isSet { deadline.set(after: limits.meaningTime) { [unowned self] in giveUp() } }
        offer()
    }

    /// Lets the waiting searches continue without meaning.
    private func giveUp() {
        let waiting = questions
        questions = []
        for question in waiting { question.then(nil) }
    }

    // MARK: The program

    /// Accepts vectors of the program, and answers once there are texts.
    func awaitTexts(
        _ call: AwaitTexts, by session: ObjectIdentifier, _ answer: @escaping Answer<TextsReply>
    ) throws(LocalFailure) {
        guard call.model.utf8.count <= Self.modelBytes, !call.model.isEmpty else {
            throw LocalFailure(.usage, "The name of a model has 1 to \(Self.modelBytes) bytes.")
        }
        if let program, program.session != session || program.waiting != nil {
            throw LocalFailure(.quota, "A program already makes vectors for this account.")
        }
        guard let program, program.model == call.model else { return begin(call.model, session, answer) }
        var vectors: [MeaningVector] = []
        for told in call.vectors {
            switch program.given.removeValue(forKey: told.text) {
            case .words(let text)?: receiveVector(told.vector, of: text)
            case .thing(let thing)?: vectors.append(MeaningVector(thing, told.vector))
            case nil: break
            }
        }
        // A text for which the program returned nothing is noted as one without a vector.
        for case .thing(let thing) in program.given.values { vectors.append(MeaningVector(thing, nil)) }
        program.given = [:]
        let lanes = Lane.allCases.filter { lane in vectors.contains { $0.lane == lane } }
        guard !lanes.isEmpty else { return wait(program, answer) }
        change(
            lanes[...],
            { [vectors, model = program.model] (lane) throws(StoreFailure) in
                try lane.keep(vectors, of: model)
            }, for: program, answer
        ) { [self] in
            learned()
            wait(program, answer)
        }
    }

    /// Begins with a program, whose model may differ from that of the stored vectors.
    private func begin(
        _ model: String, _ session: ObjectIdentifier, _ answer: @escaping Answer<TextsReply>
    ) {
        let begun = Program(session, model)
        (program, known) = (begun, [])
        change(
            Lane.allCases[...], { (lane) throws(StoreFailure) in try lane.prepareVectors(of: model) },
            for: begun, answer
        ) { [self] in
            search.forgetMeanings()
            wait(begun, answer)
        }
    }

    private func wait(_ program: Program, _ answer: @escaping Answer<TextsReply>) {
        guard self.program === program else { return answer(.success(TextsReply([]))) }
        program.waiting = answer
        offer()
    }

    /// Ends the work with a connection's program, whose waiting call gets the failure, if one is given.
    func forget(_ session: ObjectIdentifier, telling failure: LocalFailure? = nil) {
        guard let program, program.session == session else { return }
        self.program = nil
        if let failure { program.waiting.take()?(.failure(failure)) }
        pause.cancel()
        giveUp()
    }

    /// Notes that something was indexed or deleted.
    func noteChange() {
        guard let program else { return }
        program.isDone = false
        guard !pause.isSet else { return }
        pause.set(after: limits.meaningPause) { [unowned self] in offer() }
    }

    /// Ends the timers, whose callbacks the loop holds.
    func close() {
        deadline.cancel()
        pause.cancel()
        giveUp()
    }

    private func receiveVector(_ vector: Embedding?, of text: String) {
        if let vector {
            known.append((text, vector))
            if known.count > Self.knownMost { known.removeFirst() }
        }
        let answered = questions.filter { $0.text == text }
        questions.removeAll { $0.text == text }
        // No search still waits for this vector, but a watched search may find more with it.
        if answered.isEmpty, vector != nil { learned() }
        if questions.isEmpty { deadline.cancel() }
        for question in answered { question.then(vector) }
    }

    // MARK: Texts

    /// If the program waits, gives it the words of the latest search, or else texts of items.
    private func offer() {
        guard let program, program.waiting != nil else { return }
        if let text = questions.last?.text { return give([.words(text)]) }
        guard program.read.isEmpty else {
            let texts = program.read
            program.read = []
            return give(texts.map { .thing($0) })
        }
        guard !program.isDone, !program.isReading, !pause.isSet else { return }
        program.isReading = true
        search.unknownMeanings(
            most: Self.textsMost, bytes: Self.bytesMost, kept: activities.kept.searched
        ) { [weak self] result in
            program.isReading = false
            guard let self, self.program === program else { return }
            switch result {
            case .success(let unknown):
                (program.isDone, program.read) = (!unknown.isMore, unknown.texts)
                if unknown.isFilling { pause.set(after: limits.meaningPause) { [unowned self] in offer() } }
                offer()
            case .failure(let failure):
                account.log.warn("could not read texts without a vector: \(failure)")
                program.isDone = true
            }
        }
    }

    private func give(_ texts: [Given]) {
        guard let program, let answer = program.waiting.take() else { return }
        var numbered: [NumberedText] = []
        for text in texts {
            lastNumber += 1
            program.given[lastNumber] = text
            switch text {
            case .words(let words): numbered.append(NumberedText(lastNumber, words))
            case .thing(let thing): numbered.append(NumberedText(lastNumber, thing.text))
            }
        }
        answer(.success(TextsReply(numbered)))
    }

    /// Changes the vectors that these lanes keep, one after the other; the program learns of a failure.
    private func change(
        _ lanes: ArraySlice<Lane>, _ work: @escaping @Sendable (SQLiteLane) throws(StoreFailure) -> Void,
        for program: Program, _ answer: @escaping Answer<TextsReply>, then: @escaping () -> Void
    ) {
        guard let first = lanes.first else { return then() }
        account.store.submit(to: first) { (store) throws(StoreFailure) in
            if let lane = store as? SQLiteLane { try work(lane) }
        } then: { [self] result in
            guard case .failure(let failure) = result else {
                return change(lanes.dropFirst(), work, for: program, answer, then: then)
            }
            if self.program === program { forget(program.session) }
            answer(.failure(LocalFailure(.storage, "Could not keep vectors: \(failure).")))
        }
    }
}

import BatonCore
import BatonNetwork
import BatonStore

/// Passes texts to a program of the person that makes vectors of them, and stores the vectors.
///
/// The program is a client of the node, `baton embed`. The node does not start the program. While no program is
/// connected, nothing is passed and nothing is stored. A search waits for the program no longer than
/// `Limits.meaningTime`.
///
/// The object belongs to the loop's thread.
final class Meaning {
    private let search: SearchThread
    private let account: AccountCore
    private let activities: OwnActivities
    /// Called when search results may have changed, because new vectors are known.
    private let learned: () -> Void
    private let limits: Limits
    private let deadline, pause: OwnedTimer
    /// The connected program that makes vectors; nil if there is none.
    private var program: Program?
    /// The searches that wait for the vector of their words.
    ///
    /// The most recent search comes last.
    private var questions: [Question] = []
    /// The vectors of the words of recent searches.
    ///
    /// The most recent search comes last.
    private var known: [(text: String, vector: Embedding)] = []
    private var lastNumber: UInt64 = 0

    private final class Program {
        let session: ObjectIdentifier
        let model: String
        /// The call in which the program waits for texts; nil while the program makes vectors, or is not calling.
        var waiting: Answer<TextsReply>?
        /// The texts that the program was given last, by number.
        var given: [UInt64: Given] = [:]
        /// Whether texts are being read from the store.
        var isReading = false
        /// Whether all stored texts have a vector, as far as is known.
        var isDone = false
        /// Texts that were read from the store and not given to the program yet.
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

    /// The largest number of texts, and the largest size of texts in bytes, that the program is given at once.
    ///
    /// The numbers are small, so that the program is soon free for a search.
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

    /// Calls the closure with the vector of the words of a search.
    ///
    /// If the vector is not known in time, the closure gets nil.
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

    /// Lets the waiting searches continue without a vector.
    private func giveUp() {
        let waiting = questions
        questions = []
        for question in waiting { question.then(nil) }
    }

    // MARK: The program

    /// Accepts vectors from the program.
    ///
    /// Answers once there are further texts.
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
        // If the program returned nothing for a text, it is noted that the text has no vector.
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

    /// Begins to work with a program.
    ///
    /// The program's model may differ from the model of the stored vectors.
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

    /// Ends the work with the program of a connection.
    ///
    /// If a failure is given, the program's waiting call gets it.
    func forget(_ session: ObjectIdentifier, telling failure: LocalFailure? = nil) {
        guard let program, program.session == session else { return }
        self.program = nil
        if let failure { program.waiting.take()?(.failure(failure)) }
        pause.cancel()
        giveUp()
    }

    /// Called when something was indexed or deleted.
    func noteChange() {
        guard let program else { return }
        program.isDone = false
        guard !pause.isSet else { return }
        pause.set(after: limits.meaningPause) { [unowned self] in offer() }
    }

    /// Cancels the timers, and lets the waiting searches continue without a vector.
    ///
    /// The loop holds the timers' callbacks until then.
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
        // No search still waits for this vector. However, a watched search may find more with it.
        if answered.isEmpty, vector != nil { learned() }
        if questions.isEmpty { deadline.cancel() }
        for question in answered { question.then(vector) }
    }

    // MARK: Texts

    /// Gives texts to the program, if the program waits.
    ///
    /// The words of the most recent search come first. If no search waits, the texts are those of items and activities.
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

    /// Changes the stored vectors of these lanes, one lane after the other.
    ///
    /// If a change fails, the program's call gets the failure.
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

import CLinux
import Glibc

/// Finds the addresses of a host.
///
/// The system's way of asking blocks, so each question has a thread of its own while it lasts; a few at once at
/// most, the others wait for their turn. Lives on the thread of its loop.
package final class Resolver {
    /// What became of a question.
    package typealias Answer = Result<[SocketAddress], NetworkError>

    /// A question that has not been answered.
    private struct Question {
        /// What is asked for.
        let endpoint: Endpoint
        /// Who wants to know.
        let answer: (Answer) -> Void
        /// Set for the deadline; goes with the question.
        let timer: OwnedTimer
    }

    /// What a thread found out.
    private struct Finding: Sendable {
        /// The number of the question.
        let number: UInt64
        /// What the system said.
        let answer: Answer
    }

    /// How many questions the system is asked at once.
    private static let threadsMost = 8

    /// The loop on which everything happens.
    private let loop: EventLoop
    /// Where threads leave what they found.
    private var findings: Mailbox<Finding>?
    /// Questions by number, asked or waiting.
    private var questions: [UInt64: Question] = [:]
    /// The numbers of the questions that wait for a thread, oldest first.
    private var waiting: [UInt64] = []
    /// How many threads are out, including those whose question was given up.
    private var threads = 0
    /// The number of the next question.
    private var nextNumber: UInt64 = 0

    package init(on loop: EventLoop) throws(NetworkError) {
        self.loop = loop
        findings = try loop.mailbox { [weak self] finding in self?.receive(finding) }
    }

    /// Asks for the addresses of a host; they come in the order in which they are best tried, and are several often.
    ///
    /// The answer is given once, in a later turn; after the deadline it is `.timedOut`.
    package func resolve(
        _ endpoint: Endpoint, deadline: MonotonicTime, _ answer: @escaping (Answer) -> Void
    ) {
        if let address = SocketAddress(endpoint) { return loop.afterTurn { answer(.success([address])) } }
        let late = NetworkError(number: ETIMEDOUT, operation: "find the addresses of \(endpoint.host)")
        guard loop.now < deadline else { return loop.afterTurn { answer(.failure(late)) } }
        let number = nextNumber
        nextNumber += 1
        let timer = OwnedTimer(on: loop)
        timer.set(at: deadline) { [unowned self] in settle(number, .failure(late)) }
        questions[number] = Question(endpoint: endpoint, answer: answer, timer: timer)
        waiting.append(number)
        askWaiting()
    }

    /// Gives every open question up, unanswered; call it before the resolver is let go.
    package func close() {
        (questions, waiting) = ([:], [])
        if let findings { loop.remove(findings) }
        findings = nil
    }

    /// Starts threads for questions that wait, as far as they may run.
    private func askWaiting() {
        guard let findings else { return }
        while threads < Self.threadsMost, !waiting.isEmpty {
            let number = waiting.removeFirst()
            guard let endpoint = questions[number]?.endpoint else { continue }
            do throws(NetworkError) {
                let thread = try SystemThread(name: "baton-resolve") {
                    findings.post(Finding(number: number, answer: AddressLookup.ask(for: endpoint)))
                }
                thread.detach()
                threads += 1
            } catch {
                loop.afterTurn { [weak self] in self?.settle(number, .failure(error)) }
            }
        }
    }

    /// Takes in what a thread found, and lets the next question have its place.
    private func receive(_ finding: Finding) {
        threads -= 1
        settle(finding.number, finding.answer)
        askWaiting()
    }

    /// Answers a question unless that was done.
    private func settle(_ number: UInt64, _ answer: Answer) {
        questions.removeValue(forKey: number)?.answer(answer)
    }
}

/// The system's way of finding addresses; blocks for as long as its name servers let it.
private enum AddressLookup {
    /// Asks the system, on the thread of the caller.
    static func ask(for endpoint: Endpoint) -> Result<[SocketAddress], NetworkError> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV

        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(endpoint.host, String(endpoint.port), &hints, &list)
        let number = errno
        defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }

        guard code == 0 else { return .failure(error(code, number: number, endpoint)) }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let system = unsafe entry.pointee.ai_addr, let address = unsafe SocketAddress(system),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            unsafe next = entry.pointee.ai_next
        }
        return .success(addresses)
    }

    /// What a failed question means; resolution has error numbers of its own.
    private static func error(_ code: Int32, number: Int32, _ endpoint: Endpoint) -> NetworkError {
        let operation = "find the addresses of \(endpoint.host)"
        let reason = unsafe gai_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        switch code {
        case EAI_SYSTEM: return NetworkError(number: number, operation: operation)
        case EAI_AGAIN: return NetworkError(.unavailable, operation: operation, reason: reason)
        case EAI_MEMORY: return NetworkError(.exhausted, operation: operation, reason: reason)
        default: return NetworkError(.notFound, operation: operation, reason: reason)
        }
    }
}

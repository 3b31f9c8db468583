package import BatonNetwork
import Glibc

/// Looks up the addresses of hosts.
///
/// The system's lookup blocks, so each lookup runs on a thread of its own. Only a few lookups run at once, and the
/// others wait. The resolver belongs to the thread of its loop.
package final class HostResolver {
    /// The addresses of a host, or the reason why the lookup failed.
    package typealias Answer = Result<[SocketAddress], NetworkError>

    /// A lookup that was requested and not answered yet.
    private struct Question {
        let endpoint: Endpoint
        /// Called with the answer.
        let answer: (Answer) -> Void
        /// The timer for the deadline.
        ///
        /// It is released, and so cancelled, with the question.
        let timer: OwnedTimer
    }

    /// The result of a lookup on a thread.
    private struct Finding: Sendable {
        /// The number of the question.
        let number: UInt64
        let answer: Answer
    }

    /// The largest number of lookups that run at once.
    private static let threadsMost = 8

    private let loop: EventLoop
    /// Receives the results of the threads; nil once the resolver is closed.
    private var findings: Mailbox<Finding>?
    /// The questions that wait for a thread or for a thread's result, by number.
    private var questions: [UInt64: Question] = [:]
    /// The numbers of the questions that wait for a thread, oldest first.
    private var waiting: [UInt64] = []
    /// The number of running threads.
    ///
    /// Threads whose question is past its deadline are included.
    private var threads = 0
    /// The number of the next question.
    private var nextNumber: UInt64 = 0

    package init(on loop: EventLoop) throws(NetworkError) {
        self.loop = loop
        findings = try loop.mailbox { [weak self] finding in self?.receive(finding) }
    }

    /// Looks up the addresses of a host.
    ///
    /// The addresses are in the order in which they should be tried.
    ///
    /// The closure is called once, in a later turn of the loop. At the deadline, it gets the error `.timedOut`.
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

    /// Drops all questions without answering them.
    ///
    /// Call this before the resolver is released.
    package func close() {
        (questions, waiting) = ([:], [])
        if let findings { loop.remove(findings) }
        findings = nil
    }

    /// Starts threads for the waiting questions, as far as the limit allows.
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

    /// Handles the result of a thread, and starts the next lookup.
    private func receive(_ finding: Finding) {
        threads -= 1
        settle(finding.number, finding.answer)
        askWaiting()
    }

    /// Answers a question, unless it was answered already.
    private func settle(_ number: UInt64, _ answer: Answer) {
        questions.removeValue(forKey: number)?.answer(answer)
    }
}

/// The system's lookup, which blocks until name servers answer.
///
/// Only the node uses this lookup. The command is linked statically, and a static program that calls the name service
/// crashes when the service loads a module built for another C library.
private enum AddressLookup {
    /// Looks up the addresses of a host on the calling thread.
    static func ask(for endpoint: Endpoint) -> Result<[SocketAddress], NetworkError> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV

        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(endpoint.host, String(endpoint.port), &hints, &list)
        let number = errno
        defer { if let list = list { freeaddrinfo(list) } }

        guard code == 0 else { return .failure(error(code, number: number, endpoint)) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next {
            if let system = entry.pointee.ai_addr, let address = SocketAddress(systemForm: system),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            next = entry.pointee.ai_next
        }
        return .success(addresses)
    }

    /// Translates an error of `getaddrinfo`, which has error codes of its own.
    private static func error(_ code: Int32, number: Int32, _ endpoint: Endpoint) -> NetworkError {
        let operation = "find the addresses of \(endpoint.host)"
        let reason = gai_strerror(code).map { String(cString: $0) } ?? "error \(code)"
        switch code {
        case EAI_SYSTEM: return NetworkError(number: number, operation: operation)
        case EAI_AGAIN: return NetworkError(.unavailable, operation: operation, reason: reason)
        case EAI_MEMORY: return NetworkError(.exhausted, operation: operation, reason: reason)
        default: return NetworkError(.notFound, operation: operation, reason: reason)
        }
    }
}

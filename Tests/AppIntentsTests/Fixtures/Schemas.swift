// Typical code of an app: types of a schema, whose stored variables the macros wrap.

import AppIntents
import Foundation

@AppEntity(schema: .mail.account) struct MailAccount: AppEntity {
    static let defaultQuery = MailAccountQuery()
    let id: Int
    var name: String
    var displayRepresentation: DisplayRepresentation { "\(name)" }
    init(id: Int) {
        self.id = id
        name = "Account \(id)"
    }
}

struct MailAccountQuery: EntityQuery {
    func entities(for identifiers: [Int]) async throws -> [MailAccount] {
        identifiers.map { MailAccount(id: $0) }
    }
}

/// The schema does not know this type.
enum Origin: Sendable { case here, elsewhere }

@AppEntity(schema: .mail.draft) struct MailDraft {
    static let typeDisplayRepresentation = TypeDisplayRepresentation(
        name: "Draft", numericFormat: "\(placeholder: .int) drafts")
    static let defaultQuery = MailDraftQuery()
    static var newest: MailDraft? { nil }
    var id: Int
    var to: [IntentPerson]
    var subject: String? { didSet {} }
    var attachments: [IntentFile]
    @Property(title: "Account") var account: MailAccount
    @available(*, deprecated) var body: String?
    @ComputedProperty var recipients: Int { to.count }
    let origin: Origin
    private var cache: [Int: Origin]
    var isOpen = false
    var isEmpty: Bool { subject == nil }
    var send: @Sendable () -> Void
    var displayRepresentation: DisplayRepresentation { "\(subject ?? "")" }

    // The wrapped variables need no value.
    init(id: Int) {
        (self.id, origin, cache) = (id, .here, [:])
        send = {}
        to = []
    }
}

struct MailDraftQuery: EntityPropertyQuery {
    static let properties = QueryProperties {
        Property(\MailDraft.$subject) { EqualToComparator { $0 ?? "" } }
    }
    static let sortingOptions = SortingOptions { SortableBy(\MailDraft.$subject) }
    func entities(for identifiers: [Int]) async throws -> [MailDraft] { [] }
    func entities(
        matching comparators: [String], mode: ComparatorMode, sortedBy: [Sort<MailDraft>], limit: Int?
    ) async throws -> [MailDraft] { [] }
}

@AppIntent(schema: .mail.sendDraft) struct SendDraft: AppIntent {
    var target: MailDraft
    var sendLaterDate: Date?
    @Dependency private var library: Library
    static var parameterSummary: some ParameterSummary { Summary("Send \(\.$target) at \(\.$sendLaterDate)") }
    func perform() async throws -> some IntentResult { .result() }
}

@AppIntent(schema: .system.search) struct SearchMail: ShowInAppSearchResultsIntent {
    static let searchScopes: [StringSearchScope] = [.general]
    var criteria: StringSearchCriteria
    func perform() async throws -> some IntentResult { .result() }
}

@AppEnum(schema: .mail.mailbox) enum Mailbox: String, AppEnum {
    case inbox
    static let caseDisplayRepresentations: [Mailbox: DisplayRepresentation] = [.inbox: "Inbox"]
}

public import Foundation
public import LocalizedStrings

/// Says an address to which another intent leads, without opening it.
public struct OpenURLIntent: SystemIntent {
    /// The name of the intent.
    public static var title: LocalizedStringResource { "Open URL" }
    /// False: other intents return it.
    public static var isDiscoverable: Bool { false }

    /// The address.
    @Parameter(title: "URL") public var url: URL

    /// Creates an intent without an address.
    public init() {}

    /// Creates an intent that opens an address.
    public init(_ url: URL) { self.url = url }

    /// Creates an intent that opens the address of an entity; throws if it has none.
    public init<Entity: URLRepresentableEntity>(urlRepresentable entity: Entity) async throws {
        guard let url = await entity.urlRepresentation else {
            throw AppIntentError.Unrecoverable.entityNotFound
        }
        self.init(url)
    }

    /// Creates an intent that opens the address of a case; throws if it has none.
    public init<Enum: URLRepresentableEnum>(urlRepresentable value: Enum) throws {
        guard let url = value.urlRepresentation else { throw AppIntentError.Unrecoverable.entityNotFound }
        self.init(url)
    }

    /// Says the address.
    public func perform() async throws -> IntentResultContainer<Never, Never, Never, IntentDialog> {
        .result(dialog: "\(url.absoluteString)")
    }
}

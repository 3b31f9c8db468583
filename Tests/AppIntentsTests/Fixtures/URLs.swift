// Typical code of an app: addresses of entities, intents and cases.

import AppIntents
import Foundation

struct Trail: URLRepresentableEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Trail"
    static let defaultQuery = TrailQuery()
    static var urlRepresentation: URLRepresentation {
        "https://example.com/trails/\(.id)/\(\.$name)"
    }
    let id: Int
    @Property(title: "Name") var name: String
    var displayRepresentation: DisplayRepresentation { "\(name)" }
    init(id: Int) {
        self.id = id
        name = "Trail \(id)"
    }
}

struct TrailQuery: EntityQuery {
    func entities(for identifiers: [Int]) async throws -> [Trail] { identifiers.map { Trail(id: $0) } }
}

enum Section: String, URLRepresentableEnum {
    case near, far
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Section"
    static let caseDisplayRepresentations: [Section: DisplayRepresentation] = [.near: "Near", .far: "Far"]
    static var urlRepresentation: URLRepresentation {
        [.near: "https://example.com/near", .far: "https://example.com/far"]
    }
}

func open(_ trail: Trail) async throws {
    _ = try await OpenURLIntent(urlRepresentable: trail)
    _ = try OpenURLIntent(urlRepresentable: Section.near)
    _ = OpenURLIntent(URL(fileURLWithPath: "/"))
    _ = OpenURLIntent()
    _ = await trail.urlRepresentation
}

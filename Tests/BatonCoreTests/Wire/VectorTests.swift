import BatonCore
import Foundation
import Support
import Testing

/// Tests of the files of `Tests/Vectors`, by which others test their own peers.
///
/// The files are made from `Vectors`; `BATON_WRITE_VECTORS=1` writes them anew.
@Suite struct Vectors {
    static let files: [(name: String, vectors: [Vector])] = [
        ("peer-messages", Vector.peerMessages), ("writes", Vector.writes),
        ("property-values", Vector.propertyValues), ("derived-values", Vector.derivedValues),
        ("merges", Vector.merges), ("pairing-messages", Vector.pairingMessages),
        ("pairing-proofs", Vector.pairingProofs), ("recovery-codes", Vector.recoveryCodes),
        ("local-messages", Vector.localMessages),
        ("roster-statements", Vector.rosterStatements),
        ("refusals", Vector.refusals),
    ]

    private static let isWriting = getenv("BATON_WRITE_VECTORS").map { String(cString: $0) } == "1"

    /// The folder `Tests/Vectors`, whatever the working directory is.
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Vectors")

    @Test(arguments: files.map(\.name))
    func `equal the files in the repository`(_ name: String) throws {
        let vectors = try #require(Self.files.first { $0.name == name }).vectors
        let (file, text) = (Self.folder.appendingPathComponent("\(name).json"), Vector.json(vectors))
        if Self.isWriting { try Data(text.utf8).write(to: file) }
        let written = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(written == text, "BATON_WRITE_VECTORS=1 writes what has changed")
    }

    @Test func `have unique names`() {
        for (_, vectors) in Self.files {
            #expect(Set(vectors.map(\.name)).count == vectors.count)
        }
    }

    @Test func `samples of messages between nodes survive encoding`() throws {
        for (name, _, message) in PeerMessage.samples + PeerMessage.writeSamples {
            #expect(try PeerMessage(message.frame) == message, "\(name)")
        }
    }

    @Test func `samples of property values survive encoding`() throws {
        for (name, _, value) in PropertyValue.samples {
            let read = try CBORReader.whole(value.encoded[...]) { (reader) throws(CBORError) in
                try PropertyValue(from: &reader)
            }
            #expect(read == value, "\(name)")
        }
    }

    @Test func `samples of pairing and local messages survive encoding`() throws {
        for (name, _, message) in PairingMessage.samples {
            #expect(try PairingMessage(message.frame) == message, "\(name)")
        }
        for (name, _, call) in LocalSamples.calls {
            #expect(try LocalExchanges.isCarried(call, number: 7), "\(name)")
        }
        for (name, _, reply) in LocalSamples.replies {
            #expect(try LocalExchanges.isCarried(reply, number: 7), "\(name)")
        }
    }
}

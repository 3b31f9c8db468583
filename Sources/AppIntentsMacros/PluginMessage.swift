import Foundation

/// Answers the messages of the compiler.
enum PluginMessage {
    /// The version of the protocol that this program speaks.
    private static let protocolVersion = 7

    /// Returns the answer to a message; nil for one that is not known.
    static func answer(to message: [String: Any]) -> [String: Any]? {
        if message["getCapability"] != nil {
            return [
                "getCapabilityResult": [
                    "capability": ["protocolVersion": protocolVersion, "features": [String]()]
                ]
            ]
        }
        if let request = message["expandAttachedMacro"] as? [String: Any] {
            return ["expandMacroResult": result(of: AttachedExpansion(request))]
        }
        if message["expandFreestandingMacro"] != nil {
            return ["expandMacroResult": ["diagnostics": [Any]()]]
        }
        return nil
    }

    private static func result(of expansion: AttachedExpansion?) -> [String: Any] {
        guard let expansion else { return ["diagnostics": [Any]()] }
        do throws(MacroError) {
            return ["expandedSource": try MacroExpansion.source(of: expansion), "diagnostics": [Any]()]
        } catch {
            return ["diagnostics": [diagnostic(error, of: expansion)]]
        }
    }

    /// The error as the compiler shows it, at its place in the declaration or at the attribute.
    private static func diagnostic(_ error: MacroError, of expansion: AttachedExpansion) -> [String: Any] {
        let place = error.offset.map { expansion.declarationOffset + $0 } ?? expansion.attributeOffset
        return [
            "message": error.message, "severity": "error",
            "position": ["fileName": expansion.fileName, "offset": place],
            "highlights": [Any](), "notes": [Any](), "fixIts": [Any](),
        ]
    }
}

/// A case of a summary: its values, or nil for all others.
public struct _SummaryCase {
    let values: [_IntentValueContent]?
    let node: _SummaryNode
}

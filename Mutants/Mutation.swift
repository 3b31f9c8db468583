import SwiftSyntax

/// A mistake that can be planted in a place of a source file.
struct Mutation {
    let kind: Kind
    /// The bytes that are replaced.
    let range: Range<Int>
    let form: Form

    enum Kind: String {
        /// A comparison the other way round.
        case comparison
        /// A comparison that includes or excludes what is equal.
        case boundary
        /// A condition of `if`, `guard` or `where` that is negated or taken as true.
        case condition
        /// An operand of && or || that is negated or dropped.
        case operand
        /// A sum or a difference that is one more or less.
        case offByOne = "off by one"
        /// A range that includes or excludes its end.
        case range
        /// A minimum for a maximum.
        case extreme
        /// An early return that is left out.
        case earlyReturn = "early return"
        /// An assignment or a call that is left out.
        case statement
        /// A `continue` or `break` that is exchanged or left out.
        case loop
    }

    /// How the original and the mistake stand beside each other in the copy.
    enum Form {
        case expression(String)
        case statement(String)
        case leftOut

        /// The code in its place in the mutant.
        var changed: String {
            switch self {
            case .expression(let text), .statement(let text): text
            case .leftOut: "/* left out */"
            }
        }

        func code(original: String, _ number: Int) -> String {
            let isOn = "Mutants.isOn(\(number))"
            return switch self {
            case .expression(let text): "(\(isOn) ? (\(text)) : (\(original)))"
            case .statement(let text): "if \(isOn) { \(text) } else { \(original) }"
            case .leftOut: "if !\(isOn) { \(original) }"
            }
        }
    }
}

/// Finds all mutations of a file whose operators are folded.
final class MutationFinder: SyntaxVisitor {
    private(set) var found: [Mutation] = []

    private func add(_ kind: Mutation.Kind, _ node: some SyntaxProtocol, _ form: Mutation.Form) {
        let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
        let end = node.endPositionBeforeTrailingTrivia.utf8Offset
        found.append(Mutation(kind: kind, range: start..<end, form: form))
    }

    // MARK: Code that is not mutated

    /// Code behind a compilation condition may not be built.
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        let names = node.bindings.map(\.pattern.trimmedDescription)
        return names.contains { $0 == "description" || $0 == "debugDescription" }
            ? .skipChildren : .visitChildren
    }

    private static let checks: Set = [
        "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError",
    ]

    // MARK: Expressions

    private static let opposites = [
        "<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "==",
    ]
    private static let neighbours = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
            return .visitChildren
        }
        let (left, right) = (node.leftOperand.trimmedDescription, node.rightOperand.trimmedDescription)
        if let opposite = Self.opposites[sign] {
            add(.comparison, node, .expression("\(left) \(opposite) \(right)"))
        }
        if let neighbour = Self.neighbours[sign] {
            add(.boundary, node, .expression("\(left) \(neighbour) \(right)"))
        }
        switch sign {
        case "&&", "||":
            for operand in [node.leftOperand, node.rightOperand] {
                add(.operand, operand, .expression("!(\(operand.trimmedDescription))"))
                add(.operand, operand, .expression(sign == "&&" ? "true" : "false"))
            }
        case "+", "-":
            add(.offByOne, node, .expression("\(node.trimmedDescription) + 1"))
            add(.offByOne, node, .expression("\(node.trimmedDescription) - 1"))
        case "..<": add(.range, node.rightOperand, .expression("\(right) + 1"))
        case "...": add(.range, node.rightOperand, .expression("\(right) - 1"))
        default: break
        }
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        let bound = node.expression
        switch node.operator.text {
        case "..<": add(.range, bound, .expression("\(bound.trimmedDescription) + 1"))
        case "...": add(.range, bound, .expression("\(bound.trimmedDescription) - 1"))
        default: break
        }
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let called = node.calledExpression
        let name =
            called.as(DeclReferenceExprSyntax.self)?.baseName
            ?? called.as(MemberAccessExprSyntax.self)?.declName.baseName
        guard let name else { return .visitChildren }
        if Self.checks.contains(name.text) { return .skipChildren }
        if let other = ["min": "max", "max": "min"][name.text] {
            let text = node.trimmedDescription.utf8
            let start =
                name.positionAfterSkippingLeadingTrivia.utf8Offset
                - node.positionAfterSkippingLeadingTrivia.utf8Offset
            let changed =
                Substring(text.prefix(start)) + other
                + Substring(text.dropFirst(start + name.text.utf8.count))
            add(.extreme, node, .expression(String(changed)))
        }
        return .visitChildren
    }

    // MARK: Conditions

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        guard case .expression(let condition) = node.condition,
            let owner = node.parent?.parent, owner.is(IfExprSyntax.self) || owner.is(GuardStmtSyntax.self)
        else { return .visitChildren }
        drop(condition)
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        drop(node.condition)
        return .visitChildren
    }

    private func drop(_ condition: ExprSyntax) {
        add(.condition, condition, .expression("!(\(condition.trimmedDescription))"))
        add(.condition, condition, .expression("true"))
    }

    // MARK: Statements

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        let block = node.parent?.parent
        let isInGuard = block?.parent?.is(GuardStmtSyntax.self) ?? false
        switch node.item {
        case .stmt(let statement):
            if statement.is(ReturnStmtSyntax.self), block?.parent?.is(IfExprSyntax.self) ?? false {
                add(.earlyReturn, statement, .leftOut)
            }
            let isBreak = statement.is(BreakStmtSyntax.self)
            // A `break` is what stands in a case that does nothing.
            guard isBreak || statement.is(ContinueStmtSyntax.self),
                !isBreak || !(block?.is(SwitchCaseSyntax.self) ?? false)
            else { break }
            let text = statement.trimmedDescription
            let exchanged = isBreak ? "continue" + text.dropFirst(5) : "break" + text.dropFirst(8)
            add(.loop, statement, .statement(exchanged))
            if !isInGuard { add(.loop, statement, .leftOut) }
        case .expr(let expression):
            if isAssignment(expression) ? !isInInitializer(node) : isCall(expression) && isInProcedure(node) {
                add(.statement, expression, .leftOut)
            }
        default: break
        }
        return .visitChildren
    }

    /// Looks behind `try` and `unsafe`.
    private func bare(_ expression: ExprSyntax) -> ExprSyntax {
        if let marked = expression.as(TryExprSyntax.self) { return bare(marked.expression) }
        if let marked = expression.as(UnsafeExprSyntax.self) { return bare(marked.expression) }
        return expression
    }

    private func isAssignment(_ expression: ExprSyntax) -> Bool {
        guard let infix = bare(expression).as(InfixOperatorExprSyntax.self) else { return false }
        if infix.operator.is(AssignmentExprSyntax.self) { return true }
        let sign = infix.operator.trimmedDescription
        return sign.hasSuffix("=") && Self.opposites[sign] == nil
    }

    private func isCall(_ expression: ExprSyntax) -> Bool {
        guard let call = bare(expression).as(FunctionCallExprSyntax.self) else { return false }
        return !Self.checks.contains(call.calledExpression.trimmedDescription)
    }

    /// A property that is not set there does not compile.
    private func isInInitializer(_ node: CodeBlockItemSyntax) -> Bool {
        ancestors(of: node).first { $0.is(InitializerDeclSyntax.self) || $0.is(FunctionDeclSyntax.self) }?
            .is(InitializerDeclSyntax.self) ?? false
    }

    /// Whether the value of the statement can't be the result of what it stands in.
    private func isInProcedure(_ node: CodeBlockItemSyntax) -> Bool {
        let body = ancestors(of: node).first {
            $0.is(FunctionDeclSyntax.self) || $0.is(ClosureExprSyntax.self) || $0.is(AccessorDeclSyntax.self)
        }
        return body?.as(FunctionDeclSyntax.self).map { $0.signature.returnClause == nil } ?? false
    }

    private func ancestors(of node: some SyntaxProtocol) -> some Sequence<Syntax> {
        sequence(first: Syntax(node)) { $0.parent }
    }
}

import BatonCore

extension LocalAnswer {
    /// What was asked for, or why there is none.
    init<Value>(_ result: Result<Value, LocalFailure>, _ make: (Value) -> LocalAnswer) {
        switch result {
        case .success(let value): self = make(value)
        case .failure(let failure): self = .failure(failure)
        }
    }
}

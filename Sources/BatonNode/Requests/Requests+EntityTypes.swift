import BatonCore

/// Handles calls about the types of entities that apps index.
extension Requests {
    func listEntityTypes(_: ListEntityTypes, _ answer: @escaping Answer<EntityTypesReply>) {
        account.entityTypes.list(answer)
    }

    func describeEntityTypes(
        _ call: DescribeEntityTypes, _ answer: @escaping Answer<Done>
    ) throws(LocalFailure) {
        try account.entityTypes.describe(call.types, answer)
    }

    func forgetEntityTypes(
        _ call: ForgetEntityTypes, _ answer: @escaping Answer<Done>
    ) throws(LocalFailure) {
        try account.entityTypes.forget(call.app, answer)
    }
}

import BatonCore
import BatonStore

extension Requests {
    /// Looks for items, for as long as the client waits.
    func search(
        _ text: String, most: Int, for wish: SearchWish, _ answer: @escaping (LocalAnswer) -> Void
    ) {
        search.find(text, most: most, for: wish) { result in
            switch result {
            case .success(let finding): answer(.found(finding.items, isWhole: finding.isWhole))
            case .failure(let failure):
                answer(.failure(LocalFailure(.storage, "The items could not be searched: \(failure).")))
            }
        }
    }
}

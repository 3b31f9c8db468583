import BatonCore
import BatonStore

extension Requests {
    /// Looks for items.
    func search(_ text: String, most: Int, _ answer: @escaping (LocalAnswer) -> Void) {
        search.find(text, most: most) { result in
            switch result {
            case .success(let finding): answer(.found(finding.items, isWhole: finding.isWhole))
            case .failure(let failure):
                answer(.failure(LocalFailure(.storage, "The items could not be searched: \(failure).")))
            }
        }
    }
}

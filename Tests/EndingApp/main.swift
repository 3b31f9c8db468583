// An app that indexes an item and ends at once, for tests: `EndingApp NUMBER return|exit|fork`.

import CoreSpotlight
import Glibc

let words = CommandLine.arguments
let attributes = CSSearchableItemAttributeSet(contentType: .text)
attributes.title = "Item \(words[1])"
attributes.pageCount = Int(words[1]).map { NSNumber(value: $0) }
let item = CSSearchableItem(
    uniqueIdentifier: words[1], domainIdentifier: "numbers", attributeSet: attributes)
item.expirationDate = .distantFuture
CSSearchableIndex(name: "ended").indexSearchableItems([item])
switch words[2] {
case "exit": exit(0)
case "fork":
    // A child that has used no index ends without a word to the node, and without waiting for a thread of its parent.
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = dlsym(nil, "fork") else { exit(1) }
    let child = unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 { exit(0) }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    exit(status == 0 ? 0 : 1)
default: break
}

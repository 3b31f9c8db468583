package import BatonClient
package import BatonCore
package import BatonTerminal

/// Prints a JSON object whose first member is a list, while elements of the list arrive.
package struct GrowingList {
    private let console: Console
    private var isEmpty = true

    /// Prints the beginning of the object, including the bracket that begins the list.
    package init(_ name: String, on console: Console) {
        self.console = console
        console.print(part: "{\(JSON.string(name).text):[")
    }

    /// Prints further elements, and flushes the output.
    package mutating func add(_ elements: [JSON]) throws(LocalFailure) {
        for element in elements {
            console.print(part: isEmpty ? element.text : "," + element.text)
            isEmpty = false
        }
        try console.flush()
    }

    /// Prints the end of the list, and then the other members of the object.
    package func end(_ members: [JSON.Member]) {
        console.print(part: "]," + JSON.object(members).text.dropFirst() + "\n")
    }
}

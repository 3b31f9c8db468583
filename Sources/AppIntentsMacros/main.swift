// The macros of AppIntents, as a program that the compiler starts and asks.
//
// In both directions, a message is JSON after its length in eight bytes, little-endian. The compiler asks
// for what the program can do, then for one expansion after the other, and closes the pipe at the end.

let plugin = PluginConnection()
while let message = plugin.read() {
    guard let answer = PluginMessage.answer(to: message) else { break }
    plugin.write(answer)
}

import BatonNetwork
import Foundation

/// Takes over the program before its main function if the first argument is `intents`; has the manifest kept otherwise.
///
/// The C library calls the functions of the section `.init_array` with the arguments of the program. This one calls
/// those after it, so that all libraries are set up, and runs the command on the main thread's run loop. It returns,
/// and the app starts as always, if the argument is another one, if the program has no intents, or if the app wants to
/// run the command itself.
@used @section(".init_array") private let answerIntents: LaterConstructors.Constructor = {
    count, words, environment in
    ManifestKeeper.listen()
    guard count > 1, let word = words?[1], strcmp(word, "intents") == 0 else { return }
    IntentCommandStart.takeOver(count, words, environment)
}

private enum IntentCommandStart {
    /// Runs the command and ends the process, or returns.
    static func takeOver(
        _ count: CInt, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
        _ environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) {
        // Libraries may not be set up until the other functions were called, so little of them may be used: what
        // `listen` uses, the app's own `answersBeforeMain`, and the runtime.
        guard !ProcessRights.areRaised, let place = LaterConstructors.place(of: answerIntents),
            ProgramTypes.leavesCommandToLibrary
        else { return }
        LaterConstructors.run(after: place, count, words, environment)
        Task<Void, Never> { exit(await AppIntentsCommand.run(Array(CommandLine.arguments.dropFirst(2)))) }
        // The run loop also serves the main queue, on which code of the main actor runs.
        while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
}

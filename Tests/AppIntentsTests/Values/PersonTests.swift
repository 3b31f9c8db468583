import AppIntents
import Testing

@Suite struct `People in intents` {
    @Test func `have their name as a title and their handle below it`() {
        let handle = IntentPerson.Handle(emailAddress: "anna@example.com")
        let anna = IntentPerson(name: .displayName("Anna"), handle: handle)
        #expect(anna.displayRepresentation.text == "Anna")
        #expect(anna.displayRepresentation.subtitle.map { String(localized: $0) } == "anna@example.com")
        #expect(IntentPerson(name: .displayName("Bo")).displayRepresentation.subtitle == nil)
        #expect(IntentPerson.typeDisplayRepresentation.text == "Person")
    }

    @Test func `have their handle as a title if they have no name`() {
        let handle = IntentPerson.Handle(phoneNumber: "+49 30 1")
        let person = IntentPerson(name: .components(PersonNameComponents()), handle: handle)
        #expect(person.displayRepresentation.text == "+49 30 1")
        #expect(person.displayRepresentation.subtitle == nil)
    }
}

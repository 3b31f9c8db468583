import BatonClient
import BatonCommand
import BatonCore
import ClientSupport
import Support
import Testing

@Suite struct `The gate of the browser's extension` {
    private let gate = BrowserGate()

    private func admitted(_ text: String) throws -> String {
        try gate.admit(try JSON(reading: Array(text.utf8))).text
    }

    @discardableResult private func passed(_ text: String) throws -> String? {
        gate.passOn(try JSON(reading: Array(text.utf8)))?.text
    }

    /// Shows the extension what the messages of these tests are about: a page, an offer, and a request to save.
    private func show() throws {
        let page =
            #"{"id":"k3v9q2mx7abc","type":"org.baton.web","device":{"name":"d","here":false},"url":"https://a.b/"}"#
        try passed(#"{"event":"changed","activity":\#(page)}"#)
        try passed(#"{"event":"continue","number":3,"continued":{"activity":\#(page)}}"#)
        try passed(#"{"event":"save","number":7,"instance":"x"}"#)
    }

    // MARK: From the extension

    @Test(arguments: [
        (
            #"{"become":{"title":"T","url":"https://a.b/c#:~:text=d","scroll":0.5},"id":1}"#,
            #"{"become":{"type":"org.baton.web","title":"T","url":"https://a.b/c#:~:text=d","info":{"scroll":0.5}},"id":1}"#
        ),
        (
            #"{"become":{"url":"http://a"},"instance":"sent-1","lasting":true}"#,
            #"{"become":{"type":"org.baton.web","title":"","url":"http://a","expires":"14d"},"instance":"sent-1","lasting":true}"#
        ),
        (
            #"{"update":{"title":"T","url":"https://a.b/"},"id":2}"#,
            #"{"update":{"title":"T","url":"https://a.b/","remove":["scroll","inner"]},"id":2}"#
        ),
        (
            #"{"saved":7,"update":{"url":"https://a.b/","scroll":1}}"#,
            #"{"saved":7,"update":{"title":"","url":"https://a.b/","info":{"scroll":1.0},"remove":["inner"]}}"#
        ),
        (
            ##"{"update":{"url":"https://a.b/","scroll":0,"inner":{"at":"#main-text","part":0.25,"x":1}}}"##,
            ##"{"update":{"title":"","url":"https://a.b/","info":{"scroll":0.0,"inner":{"at":"#main-text","part":0.25}}}}"##
        ),
        (
            #"{"update":{"url":"https://a.b/","scroll":0,"inner":{"at":"/0/12/3","part":1}}}"#,
            #"{"update":{"title":"","url":"https://a.b/","info":{"scroll":0.0,"inner":{"at":"/0/12/3","part":1.0}}}}"#
        ),
        (#"{"saved":7}"#, #"{"saved":7}"#), (#"{"opened":3,"id":4}"#, #"{"opened":3,"id":4}"#),
        (#"{"resign":true}"#, #"{"resign":true}"#), (#"{"private":true}"#, #"{"private":true}"#),
        (#"{"watch":true}"#, #"{"watch":true}"#),
        (#"{"devices":true,"id":5}"#, #"{"devices":true,"id":5}"#),
        (#"{"finish":true,"instance":"sent-a-1"}"#, #"{"finish":true,"instance":"sent-a-1"}"#),
        (#"{"handle":"Firefox"}"#, #"{"handle":["org.baton.web"],"title":"Firefox"}"#),
        (
            #"{"continue":"k3v9q2mx7abc"}"#,
            #"{"continue":"k3v9q2mx7abc","type":"org.baton.web","take":false}"#
        ),
        (#"{"send":"desktop","instance":"sent-1"}"#, #"{"send":"desktop","instance":"sent-1"}"#),
    ]) func `each message of the extension becomes a command with the gate's own type and fields`(
        message: String, command: String
    ) throws {
        try show()
        #expect(try admitted(message) == command)
    }

    @Test func `the extension can continue, confirm and answer only what it was shown`() throws {
        for message in [#"{"continue":"k3v9q2mx7abc","take":true}"#, #"{"opened":3}"#, #"{"saved":7}"#] {
            #expect(throws: JSONError.self, "\(message)") { try admitted(message) }
        }
        try show()
        #expect(try admitted(#"{"continue":"k3v9q2mx7abc","take":true}"#).hasSuffix(#""take":true}"#))
        for name in ["k3v9q2m", "org.baton.web", "", "other"] {
            #expect(throws: JSONError.self, "\(name)") { try admitted(#"{"continue":"\#(name)"}"#) }
        }
        for message in [#"{"opened":3}"#, #"{"saved":7}"#] {
            _ = try admitted(message)
            #expect(throws: JSONError.self, "an answer counts once: \(message)") { try admitted(message) }
        }
        // The same activity may become something else, or end.
        let folder = #"{"id":"k3v9q2mx7abc","type":"org.baton.folder","device":{"name":"d","here":false}}"#
        for end in [
            #"{"event":"changed","activity":\#(folder)}"#, #"{"event":"gone","id":"k3v9q2mx7abc"}"#,
            #"{"event":"anew"}"#, #"{"event":"lost"}"#,
        ] {
            try show()
            let event = try passed(end)
            #expect(event == (end.contains("folder") ? #"{"event":"gone","id":"k3v9q2mx7abc"}"# : end))
            #expect(throws: JSONError.self, "\(end)") { try admitted(#"{"continue":"k3v9q2mx7abc"}"#) }
        }
        // Nothing is told of what is no page.
        #expect(try passed(#"{"event":"changed","activity":\#(folder)}"#) == nil)
        #expect(try passed(#"{"event":"gone","id":"k3v9q2mx7abc"}"#) == nil)
        let file =
            #"{"id":"f","type":"org.baton.file","device":{"name":"d","here":false},"url":null,"info":{"url":"https://a.b/"}}"#
        #expect(try passed(#"{"event":"continue","number":9,"continued":{"activity":\#(file)}}"#) == nil)
        #expect(throws: JSONError.self) { try admitted(#"{"opened":9}"#) }
        #expect(
            try passed(#"{"id":1,"continued":{"activity":\#(file)}}"#)?.contains("can't be opened") == true)
    }

    @Test(arguments: [
        "[]", "1", "{}", #"{"index":{"item":"x"}}"#, #"{"search":"x"}"#, #"{"list":"all"}"#,
        #"{"query":"x"}"#, #"{"forget":"x","everywhere":true}"#, #"{"delete-saved":true}"#,
        // Types, payloads and instances are not the extension's to choose.
        #"{"become":{"type":"org.baton.file","url":"https://a.b"}}"#,
        #"{"become":{"url":"https://a.b","info":{"file":"/etc/passwd"}}}"#,
        #"{"become":{"url":"https://a.b"},"instance":"shell-1"}"#,
        #"{"become":{"url":"https://a.b"},"instance":"sent-$(x)"}"#,
        #"{"become":{"url":"https://a.b"},"lasting":true}"#, #"{"become":true}"#, #"{"become":{}}"#,
        #"{"handle":["*"]}"#, #"{"handle":"x","instance":"y"}"#, #"{"continue":true}"#,
        #"{"continue":""}"#, #"{"send":"desktop"}"#, #"{"resign":false}"#, #"{"saved":-1}"#,
        #"{"opened":"1"}"#, #"{"devices":true,"id":"x"}"#, #"{"devices":true,"id":{"a":1}}"#,
        #"{"update":{"url":"https://a.b","inner":"/1"}}"#,
        #"{"update":{"url":"https://a.b","inner":{"at":"/1"}}}"#,
        #"{"update":{"url":"https://a.b","inner":{"at":"/1","part":2}}}"#,
        #"{"update":{"url":"https://a.b","inner":{"at":"main","part":0.5}}}"#,
        ##"{"update":{"url":"https://a.b","inner":{"at":"#","part":0.5}}}"##,
        ##"{"update":{"url":"https://a.b","inner":{"at":"#a'b\"$(reboot)","part":0.5}}}"##,
        #"{"update":{"url":"https://a.b","inner":{"at":"/1//2","part":0.5}}}"#,
        #"{"update":{"url":"https://a.b","inner":{"at":"/-1","part":0.5}}}"#,
        #"{"update":{"url":"https://a.b","inner":{"at":"/123456","part":0.5}}}"#,
        #"{"update":{"url":"https://a.b","scroll":1.5}}"#, #"{"update":{"url":"https://a.b","scroll":"0"}}"#,
        #"{"update":{"title":"without a url"}}"#, #"{"devices":true,"take":true}"#,
    ]) func `every unknown or malformed message is refused`(message: String) throws {
        #expect(throws: JSONError.self) { try admitted(message) }
    }

    /// Addresses that must never pass, in either direction.
    static let badAddresses = [
        "", "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "file:///etc/passwd",
        "about:config",
        "chrome://settings", "view-source:https://a.b", "mailto:a@b", "http:a.b", "https:/a.b", "https://",
        "https:///a", "https://?x", "https://user@a.b/", "https://user:secret@a.b/", "https://a.b\\@c.d/",
        "https://a b/", "https://a.b/\u{202e}", "https://a.b/\u{200b}", "https://a.b/\n",
        "https://a.b/\u{1b}[2J",
        "--help", "-c", "$(touch x)", " https://a.b", "https://a.b/" + String(repeating: "x", count: 8200),
    ]

    @Test(arguments: badAddresses) func `an address that is not a web page's is refused in both directions`(
        address: String
    ) throws {
        let url = JSON.string(address).text
        #expect(throws: JSONError.self) { try admitted(#"{"become":{"url":\#(url)}}"#) }
        let activity = #"{"id":"x","type":"org.baton.web","device":{"name":"d","here":false},"url":\#(url)}"#
        #expect(try passed(#"{"event":"changed","activity":\#(activity)}"#) == nil)
        let page =
            #"{"id":"x","type":"org.baton.web","device":{"name":"d","here":false},"url":"https://a.b"}"#
        try passed(#"{"event":"changed","activity":\#(page)}"#)
        #expect(
            try passed(#"{"event":"changed","activity":\#(activity)}"#) == #"{"event":"gone","id":"x"}"#)
        #expect(try passed(#"{"event":"continue","number":1,"continued":{"activity":\#(activity)}}"#) == nil)
        let answer = try #require(try passed(#"{"id":4,"continued":{"activity":\#(activity)}}"#))
        #expect(answer.hasPrefix(#"{"id":4,"error":"The page can't be opened: its address "#), "\(answer)")
    }

    @Test(arguments: [
        "https://a.b", "HTTP://a.b/", "https://a.b:8443/c?d=e@f#g@h", "http://[::1]/",
        "https://münchen.example/ü",
        "https://a.b/$(touch%20x)", "https://a.b/\\", "https://a.b/#:~:text=c",
    ]) func `the address of a page passes unchanged`(address: String) throws {
        // A backslash after the host is a part of the path, and harmless.
        let url = JSON.string(address).text
        #expect(try admitted(#"{"become":{"url":\#(url)}}"#).contains(#""url":\#(url)"#))
    }

    @Test func `a long title is cut in both directions`() throws {
        let title = String(repeating: "e\u{301}", count: 1000)
        let cut = JSON.string(String(repeating: "e\u{301}", count: 150)).text
        #expect(
            try admitted(#"{"become":{"url":"https://a.b","title":"\#(title)"}}"#).contains(
                #""title":\#(cut),"#))
        let activity =
            #"{"id":"x","type":"org.baton.web","device":{"name":"d","here":false},"url":"https://a.b","title":"\#(title)"}"#
        #expect(
            try passed(#"{"event":"changed","activity":\#(activity)}"#)?.contains(#""title":\#(cut),"#)
                == true)
    }

    // MARK: To the extension

    @Test func `the extension gets web pages of the other machines, and no other activities`() throws {
        let event = { (device: DeviceReference, type: String) in
            let info: [PropertyValue: PropertyValue] = [
                .string("scroll"): .real(0.25), .string("secret"): .integer(1),
            ]
            var page = Example.summary(device: device, title: "News", info: info)
            (page.activity.type, page.activity.webpage) = (type, "https://a.b/")
            return gate.passOn(.event("changed", .init("activity", JSON(page))))?.text
        }
        let text = try #require(event(Example.desktop, "org.baton.web"))
        #expect(
            text.hasPrefix(
                #"{"event":"changed","page":{"id":"k3v9q2mx7abc","device":"desktop","title":"News","url":"https://a.b/","scroll":0.25,"inner":null,"#
            ), "\(text)")
        #expect(!text.contains("secret"))
        for (device, type) in [(Example.laptop, "org.baton.web"), (Example.desktop, "org.baton.folder")] {
            // The extension lists what it was shown until it learns that it is over, and learns that once.
            #expect(event(Example.desktop, "org.baton.web") != nil)
            #expect(event(device, type) == #"{"event":"gone","id":"k3v9q2mx7abc"}"#, "\(type)")
            #expect(event(device, type) == nil, "\(type) that was not shown")
        }
    }

    @Test func `the extension gets only the parts of an answer that it uses`() throws {
        #expect(
            try passed(#"{"id":1,"activity":{"id":"x","title":"T","private":false,"info":{"a":1}}}"#)
                == #"{"id":1,"activity":{"id":"x","private":false}}"#)
        let device = #""connected":true,"removed":null,"addresses":["192.0.2.1:4817"]"#
        #expect(
            try passed(
                #"{"id":2,"devices":[{"device":{"id":"a","name":"here","here":true},\#(device)},{"device":{"id":"b","name":"desktop","here":false},\#(device)}]}"#
            ) == #"{"id":2,"devices":[{"id":"b","name":"desktop","connected":true}]}"#)
        for line in [
            #"{"event":"open","number":1}"#, #"{"event":"advice","text":"x"}"#, #"{"id":3,"results":[]}"#,
        ] {
            #expect(try passed(line) == nil, "\(line)")
        }
        for line in [
            #"{"event":"save","number":1,"instance":"x"}"#, #"{"event":"lost"}"#, #"{"id":3,"done":true}"#,
            #"{"event":"continued","instance":"x","taken":true}"#, #"{"event":"ended","instance":"x"}"#,
            #"{"id":3,"private":false}"#,
            #"{"id":3,"error":"x","code":1}"#,
        ] {
            #expect(try passed(line) == line)
        }
    }

    @Test func `characters that change the reading direction of a title are escaped`() throws {
        let activity =
            #"{"id":"x","type":"org.baton.web","device":{"name":"d\u202e","here":false},"url":"https://a.b/","title":"a\u202eb\nc שלום"}"#
        let text = try #require(try passed(#"{"event":"changed","activity":\#(activity)}"#))
        let page = try #require(try JSON(reading: Array(text.utf8))["page"])
        for key in ["title", "device"] {
            let shown = try #require(page[key]?.string)
            #expect(shown.unicodeScalars.allSatisfy { !$0.isHidden }, "\(shown)")
        }
        #expect(page["title"]?.string?.hasSuffix("c שלום") == true)
    }

    @Test func `a page that a shell started has its address in the payload`() throws {
        let activity =
            #"{"id":"x","type":"org.baton.web","device":{"name":"d","here":false},"url":null,"info":{"url":"https://a.b/"},"title":null}"#
        let text = try #require(
            try passed(#"{"event":"continue","number":1,"continued":{"activity":\#(activity)}}"#))
        #expect(text.contains(#""title":"","url":"https://a.b/","scroll":null,"inner":null"#), "\(text)")
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func `every address that the gate admits is that of a web page`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let parts = [
            "http", "https", ":", "/", "//", "\\", "@", "a.b", "?", "#", " ", "\n", "javascript", "%00",
            "user", "[",
            "]", "\u{202e}", "é", "-",
        ]
        let address = (0..<random.number(1...9)).map { _ in random.pick(parts) }.joined()
        let message = JSON.object([.init("update", .object([.init("url", .string(address))]))])
        guard let command = try? gate.admit(message) else { return }
        let url = try #require(command["update"]?["url"]?.string)
        #expect(url == address && (url.hasPrefix("http://") || url.hasPrefix("https://")))
        let place = url.drop { $0 != ":" }.dropFirst(3).prefix { !"/?#".contains($0) }
        #expect(!place.isEmpty && !place.contains("@") && !place.contains("\\"), "\(url)")
        #expect(url.unicodeScalars.allSatisfy { !$0.isHidden && !$0.properties.isWhitespace })
    }
}

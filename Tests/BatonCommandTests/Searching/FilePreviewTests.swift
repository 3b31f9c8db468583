import BatonCore
import ClientSupport
import Foundation
import Glibc
import Support
import Testing

@testable import BatonCommand

/// The file of this machine that a preview shows, though another machine named it.
@Suite struct `The file of a preview` {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func read(
        _ file: String, line: PropertyValue? = nil, places: PrivatePlaces = PrivatePlaces()
    ) -> Result<FilePreview, LocalFailure> {
        var summary = Example.summary(title: "x", info: [.string("file"): .string(file)])
        summary.activity.type = "org.baton.file"
        summary.activity.info[.string("line")] = line
        return FilePreview.read(summary, places: places) { $0 == "HOME" ? home.path : nil }
    }

    private func failure(_ file: String, places: PrivatePlaces = PrivatePlaces()) -> String {
        switch read(file, places: places) {
        case .success(let preview): "read: " + preview.lines.joined()
        case .failure(let failure): failure.text
        }
    }

    @Test func `the lines around the activity's line are read, with tabs as spaces`() throws {
        let lines = (1...1000).map { "\t\($0)\tx" }
        try File.write(lines.joined(separator: "\r\n") + "\n", to: home.path + "/a.txt")
        let preview = try read("~/a.txt", line: .integer(500)).get()
        #expect(preview.path == home.path + "/a.txt" && preview.line == 500 && preview.first == 300)
        #expect(preview.lines.count == 400 && preview.lines[200] == "        500     x")
        #expect(try read("~/a.txt").get().first == 1)
        let beyond = try read("~/a.txt", line: .integer(.max)).get()
        #expect(beyond.lines.count == 200 && beyond.lines.last == "", "\(beyond.first)")
        try File.write(String(repeating: "年", count: 10_000), to: home.path + "/long.txt")
        #expect(try read("~/long.txt").get().lines[0].count == 400)
        try File.write("a" + String(repeating: "\u{301}", count: 300_000), to: home.path + "/marks.txt")
        #expect(try read("~/marks.txt").get().lines[0].unicodeScalars.count == 1600)
        try File.write("", to: home.path + "/empty.txt")
        #expect(try read("~/empty.txt", line: .integer(7)).get().lines == [""])
    }

    @Test func `only a regular file that is not private is read`() throws {
        try File.write("secret", to: home.path + "/.bashrc")
        try File.write("secret", to: home.path + "/server.key")
        try File.write("secret", to: home.path + "/diary.txt")
        try home.makeFolder(".ssh")
        try File.write("secret", to: home.path + "/.ssh/config")
        for (name, target) in [
            ("link", ".ssh/config"), ("zero", "/dev/zero"), ("loop", "loop"), ("plain", "diary.txt"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: home.path + "/" + name, withDestinationPath: target)
        }
        #expect(mkfifo(home.path + "/pipe", 0o600) == 0)
        for file in ["~/.bashrc", "~/server.key", "~/.ssh/config", "~/link", "/etc/shadow"] {
            let text = failure(file)
            #expect(
                text.contains("private place") || file == "/etc/shadow" && !text.contains("root:"), "\(text)")
        }
        for file in ["~/zero", "/dev/zero", "~/pipe", "~", "/proc/self/environ", "~/loop", "~/none", "a.txt"]
        {
            #expect(!failure(file).hasPrefix("read: "), "\(file)")
        }
        var places = PrivatePlaces()
        places.files.append("*/diary.txt")
        #expect(try read("~/plain").get().lines == ["secret"])
        #expect(failure("~/diary.txt", places: places).contains("private place"))
        #expect(failure("~/plain", places: places).contains("private place"), "by the name behind the link")
    }

    @Test func `a file that is too large or not text is not shown`() throws {
        try File.write(String(repeating: "x", count: 1 << 20), to: home.path + "/fits.txt")
        #expect(try read("~/fits.txt").get().lines.count == 1)
        try File.write(String(repeating: "x", count: (1 << 20) + 1), to: home.path + "/large.txt")
        #expect(failure("~/large.txt").contains("larger than 1 MiB"))
        try File.write("a\u{0}b", to: home.path + "/binary")
        #expect(failure("~/binary").contains("is not text"))
    }
}

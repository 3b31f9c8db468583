import Testing

/// The answers of `baton shell --explain`.
@Suite struct `The option shell --explain` {
    @Test func `shell --explain prints what would be reported of a command, and why the rest is not`() {
        #expect(
            Typed(["shell", "--explain", "docker login -p geheim"]).output
                == "docker login …   (not told: an option)\n")
        #expect(Typed(["shell", "--explain", "make test"]).output == "make test   (whole)\n")
        #expect(
            Typed(["shell", "--explain", "cd app && make CC=clang"]).output == """
                Only the command that runs would be told, one of these:
                cd app   (whole)
                make …   (not told: an assignment)

                """)
        for line in ["pass show mail", " make"] {
            #expect(Typed(["shell", "--explain", line]).output.contains("is private"))
        }
        #expect(
            Typed(["shell", "--explain", "zip -P x", "--json"]).output
                == "{\"private\":false,\"commands\":[{\"told\":\"zip …\",\"hidden\":\"option\"}]}\n")
        #expect(Typed(["shell", "bash", "--explain", "x"]).status == 2)
    }
}

/// A copy of a machine's settings, with a number that grows with every change of the settings.
///
/// A machine has three copies: two files beside its databases, and a note in the database of activities, so that a
/// backup has the settings under which its activities were made. The note is written last. So a change that makes the
/// machine share more counts only once all three copies have it, and a change that makes it share less counts from the
/// first copy on, wherever a crash or a failing disk ends the writing.
package struct SettingsCopy: Equatable, Sendable {
    package let number: UInt64
    package let settings: Settings

    package init(number: UInt64, settings: Settings) { (self.number, self.settings) = (number, settings) }

    /// The copy with which an account begins.
    package static let first = SettingsCopy(number: 1, settings: Settings())

    /// Joins the copies that could be read into the settings that apply.
    ///
    /// The copy with the largest number counts, and also withholds everything that the other copies withhold. If
    /// neither file can be read, or the last copy is older than a copy that was witnessed outside the home, the machine
    /// is private until its person decides. The copy in the database alone proves nothing, because the database may
    /// have been rescued or restored.
    package static func joined(
        files: [SettingsCopy?], note: SettingsCopy?, witnessed: UInt64?
    ) -> SettingsCopy {
        let files = files.compactMap(\.self)
        let copies = files + [note].compactMap(\.self)
        let last = copies.max { $0.number < $1.number }
        var settings = last?.settings ?? Settings()
        for copy in copies { settings.withhold(with: copy.settings) }
        if files.isEmpty { settings.suspect(.lost) }
        if let witnessed, witnessed > last?.number ?? 0 { settings.suspect(.older) }
        let number = max(last?.number ?? 0, witnessed ?? 0)
        return SettingsCopy(
            number: settings == last?.settings && number == last?.number ? number : number + 1,
            settings: settings)
    }

    // MARK: Codec

    /// The largest encoding that is read, in bytes.
    package static let bytesMost = 1 << 20

    /// The encoding without a checksum.
    package var content: [UInt8] {
        var writer = CBORWriter()
        writer.array(count: 2)
        writer.unsigned(number)
        settings.encode(to: &writer)
        return writer.bytes
    }

    /// The encoding, preceded by its checksum.
    package var bytes: [UInt8] { CheckedBytes.sealed(content) }

    /// Reads an encoding; nil if a byte of it was changed.
    package init?(bytes: [UInt8]) {
        guard let content = CheckedBytes.content(of: bytes) else { return nil }
        self.init(content: content)
    }

    /// Reads an encoding without a checksum; nil if it has another form.
    package init?(content: ArraySlice<UInt8>) {
        do throws(CBORError) {
            self = try CBORReader.whole(content) { (reader) throws(CBORError) in
                try reader.array(count: 2)
                return SettingsCopy(number: try reader.unsigned(), settings: try Settings(from: &reader))
            }
        } catch {
            return nil
        }
    }

    // MARK: The note

    /// The note that stores this copy in the database of activities.
    package var note: LocalNote { LocalNote(space: .setting, name: [], value: bytes) }

    /// Reads the note of the database; nil if there is none that can be read.
    package init?(_ notes: [LocalNote]) {
        guard let value = notes.first(where: \.name.isEmpty)?.value else { return nil }
        self.init(bytes: value)
    }
}

/// A copy of a machine's settings.
///
/// Its number grows with every change of the settings.
///
/// A machine has three copies. Two are files beside its databases. The third is a note in the database of activities,
/// so a backup contains the settings under which its activities were made. A change writes all three copies, and the
/// note last. When they are read, everything that any copy withholds is withheld. So a change that withholds more has
/// an effect as soon as the first copy is written. A change that withholds less has an effect only after all three are
/// written. This is true even if a crash or a failing disk interrupts the writing.
package struct SettingsCopy: Equatable, Sendable {
    package let number: UInt64
    package let settings: Settings

    package init(number: UInt64, settings: Settings) { (self.number, self.settings) = (number, settings) }

    /// The first copy of a new account.
    package static let first = SettingsCopy(number: 1, settings: Settings())

    /// Combines the copies that could be read into the settings that apply.
    ///
    /// The result is the copy with the largest number, but everything that another copy withholds is withheld, too. If
    /// neither file can be read, the machine is private until its person decides. The same holds if the last copy is
    /// older than a copy that was witnessed outside the home. The copy in the database is not enough, because the
    /// database may have been rescued or restored.
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

    /// The maximum size of an encoding that is read, in bytes.
    package static let bytesMost = 1 << 20

    /// The encoding of this copy, without a checksum.
    package var content: [UInt8] {
        var writer = CBORWriter()
        writer.array(count: 2)
        writer.unsigned(number)
        settings.encode(to: &writer)
        return writer.bytes
    }

    /// The encoding of this copy, with a checksum before it.
    package var bytes: [UInt8] { CheckedBytes.sealed(content) }

    /// Reads a copy from its encoding; nil if the checksum does not match or the encoding is malformed.
    package init?(bytes: [UInt8]) {
        guard let content = CheckedBytes.content(of: bytes) else { return nil }
        self.init(content: content)
    }

    /// Reads a copy from its encoding without a checksum; nil if the encoding is malformed.
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

    /// Reads the copy from the notes of the database; nil if there is no readable note.
    package init?(_ notes: [LocalNote]) {
        guard let value = notes.first(where: \.name.isEmpty)?.value else { return nil }
        self.init(bytes: value)
    }
}

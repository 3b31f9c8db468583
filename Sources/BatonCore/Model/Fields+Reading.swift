extension Fields {
    /// Reads the fields that the closure knows, in the order of their names, and gives back the others.
    ///
    /// A value that the closure leaves alone is not known to it; else it must read the whole value and no more.
    func read(
        _ read: (FieldName, inout CBORReader) throws(CBORError) -> Void
    ) throws(CBORError) -> Fields {
        var (unknown, reader) = (FieldsWriter(), reader)
        for _ in 0..<count {
            let name = try FieldName(from: &reader)
            let place = reader.offset
            try read(name, &reader)
            if reader.offset == place { unknown.add((name, try reader.encoded())) }
        }
        try reader.end()
        return Fields(unknown)
    }

    /// Reads a date of a numbered field.
    func time(_ number: UInt64) throws(CBORError) -> WallTime? {
        try read(number) { (reader) throws(CBORError) in try WallTime(from: &reader) }
    }
}

extension Optional {
    /// The value of a field without which a record means nothing.
    func required(_ number: UInt64) throws(CBORError) -> Wrapped {
        guard let self else { throw CBORError(.missingField(number), at: 0) }
        return self
    }
}

extension WallTime {
    func encode(to writer: inout CBORWriter) { writer.integer(milliseconds) }

    init(from reader: inout CBORReader) throws(CBORError) { self.init(milliseconds: try reader.integer()) }
}

extension CBORWriter {
    /// Writes texts as a set of a property list.
    mutating func textSet(_ texts: Set<String>) {
        PropertyValue.encode(texts, to: &self)
    }
}

extension CBORReader {
    /// Reads a set of a property list that holds texts and nothing else.
    ///
    /// Of texts that Swift takes for the same, though spelled in other bytes, it is the first that stays.
    mutating func textSet() throws(CBORError) -> Set<String> {
        if let texts = try PropertyValue.texts(from: &self) { return texts }
        let start = offset
        guard case .set(let members) = try PropertyValue(from: &self) else {
            throw CBORError(.unexpectedType, at: start)
        }
        var texts: [String] = []
        for member in members {
            guard let text = member.string else { throw CBORError(.unexpectedType, at: start) }
            texts.append(text)
        }
        return Set(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    /// Reads a dictionary of a property list.
    mutating func dictionary() throws(CBORError) -> [PropertyValue: PropertyValue] {
        let start = offset
        guard case .dictionary(let pairs) = try PropertyValue(from: &self) else {
            throw CBORError(.unexpectedType, at: start)
        }
        return pairs
    }
}

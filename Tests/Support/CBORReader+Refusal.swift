package import BatonCore

extension CBORReader {
    /// Returns the error of reading these bytes as a whole, or nil.
    package static func refusal(
        of bytes: ArraySlice<UInt8>, _ read: (inout CBORReader) throws(CBORError) -> Void
    ) -> CBORError? {
        do {
            try whole(bytes, read)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the error if the bytes are not one value, or nil.
    package static func refusalUnread(of bytes: ArraySlice<UInt8>) -> CBORError? {
        refusal(of: bytes) { (reader) throws(CBORError) in try reader.skip() }
    }

    /// Returns the error if the bytes are not one property-list value, or nil.
    package static func refusalAsValue(of bytes: ArraySlice<UInt8>) -> CBORError? {
        refusal(of: bytes) { (reader) throws(CBORError) in _ = try PropertyValue(from: &reader) }
    }
}

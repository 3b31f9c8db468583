package import BatonCore

extension CBORReader {
    /// Why reading these bytes as a whole fails, if it does.
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

    /// Why bytes are not one value, if they are not.
    package static func refusalUnread(of bytes: ArraySlice<UInt8>) -> CBORError? {
        refusal(of: bytes) { (reader) throws(CBORError) in try reader.skip() }
    }

    /// Why bytes are not one property-list value, if they are not.
    package static func refusalAsValue(of bytes: ArraySlice<UInt8>) -> CBORError? {
        refusal(of: bytes) { (reader) throws(CBORError) in _ = try PropertyValue(from: &reader) }
    }
}

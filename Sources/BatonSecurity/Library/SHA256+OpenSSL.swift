package import BatonCore
import COpenSSL

extension SHA256 {
    /// OpenSSL's function to process blocks, which uses the processor's instructions for SHA-256 if there are any.
    package static let byProcessor: Compression = { state, blocks in
        var words = state.mutableSpan
        unsafe words.withUnsafeMutableBufferPointer { words in
            unsafe blocks.withUnsafeBufferPointer { blocks in
                unsafe COpenSSL_SHA256_Transform(words.baseAddress, blocks.baseAddress, blocks.count / 64)
            }
        }
    }
}

package import BatonCore
import COpenSSL

extension SHA256 {
    /// OpenSSL's way to process blocks, by the instructions that the processor has for it.
    package static let byProcessor: Compression = { state, blocks in
        var words = state.mutableSpan
        unsafe words.withUnsafeMutableBufferPointer { words in
            unsafe blocks.withUnsafeBufferPointer { blocks in
                unsafe COpenSSL_SHA256_Transform(words.baseAddress, blocks.baseAddress, blocks.count / 64)
            }
        }
    }
}

import DiscoverySupport
import Support

/// The entry point that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.multicastDNS.check(UnsafeBufferPointer(start: start, count: count))
    return 0
}

import CLinux
import Glibc

/// The functions that the C library calls before the main function of this executable.
///
/// One of them may take over the program: it first calls those that would come after it, so that all libraries are set
/// up, and never returns.
package enum LaterConstructors {
    /// A function that is called before the main function.
    package typealias Constructor =
        @convention(c) @Sendable (
            CInt, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
            UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        ) -> Void

    /// Returns the place of a function in the executable's list; nil if the function is not in it.
    ///
    /// A function of a shared library is not in it, because the executable is set up later. An executable without a
    /// dynamic section, which `-static-executable` makes, has no list.
    package static func place(of constructor: Constructor) -> Int? {
        unsafe list?.firstIndex(of: address(of: constructor))
    }

    /// Calls the functions after a place of the list, in order.
    @unsafe package static func run(
        after place: Int, _ count: CInt, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
        _ environment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) {
        guard let list = unsafe list else { return }
        // Empty places are 0 or -1, as for the C library.
        let later = unsafe Array(list[(place + 1)...])
        for address in later where address != 0 && address != .max {
            let constructor = unsafe unsafeBitCast(address, to: Constructor.self)
            unsafe constructor(count, words, environment)
        }
    }

    private static func address(of constructor: Constructor) -> UInt {
        unsafe unsafeBitCast(constructor, to: UInt.self)
    }

    /// The addresses of the functions; nil if the executable has no list.
    private static var list: UnsafeBufferPointer<UInt>? {
        let headers = getauxval(UInt(AT_PHDR))
        guard let first = unsafe UnsafePointer<Elf64_Phdr>(bitPattern: headers) else { return nil }
        let all = unsafe UnsafeBufferPointer(start: first, count: Int(getauxval(UInt(AT_PHNUM))))
        guard let own = unsafe all.first(where: { $0.p_type == UInt32(PT_PHDR) }),
            let dynamic = unsafe all.first(where: { $0.p_type == UInt32(PT_DYNAMIC) })
        else { return nil }
        // The executable may be loaded anywhere; its header says where it should be.
        let offset = headers &- UInt(own.p_vaddr)
        guard var entry = unsafe UnsafePointer<Elf64_Dyn>(bitPattern: offset &+ UInt(dynamic.p_vaddr)) else {
            return nil
        }
        var (start, size): (UInt, UInt) = (0, 0)
        while unsafe entry.pointee.d_tag != Int64(DT_NULL) {
            let value = unsafe UInt(entry.pointee.d_un.d_val)
            switch unsafe entry.pointee.d_tag {
            case Int64(DT_INIT_ARRAY): start = offset &+ value
            case Int64(DT_INIT_ARRAYSZ): size = value
            default: break
            }
            unsafe entry += 1
        }
        guard let list = unsafe UnsafePointer<UInt>(bitPattern: start), size > 0 else { return nil }
        return unsafe UnsafeBufferPointer(start: list, count: Int(size) / MemoryLayout<UInt>.size)
    }
}

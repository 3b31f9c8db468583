#pragma once

/// How often the calling thread has taken memory since it began.
unsigned long CAllocations_count(void);

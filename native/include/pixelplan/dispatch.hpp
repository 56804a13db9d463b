// PIXELPLAN_CLONES marks the few loops that are compiled twice, for the baseline instruction set
// and for AVX2; the loader takes the one that the CPU can run. Empty where that is not supported.
#pragma once

#ifdef PIXELPLAN_DISPATCH
#define PIXELPLAN_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define PIXELPLAN_CLONES
#endif

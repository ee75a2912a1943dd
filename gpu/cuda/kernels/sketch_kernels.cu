#include "gpu/cuda/kernels/device_launcher.h"
#include "gpu/cuda/kernels/kernels.h"
#include "gpu/cuda/kernels/sketch_kernels.h"

namespace neardup::cuda {

void prepare_kernels(const Parameters& how) {
  SharedMemoryPreparer preparer;
  name_all_kernels(preparer, how);
}

void start_kernels(cudaStream_t stream, const Parameters& how, const Piece& piece) {
  DeviceLauncher launcher(stream);
  sketch_piece(launcher, how, piece);
}

}  // namespace neardup::cuda

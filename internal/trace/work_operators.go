package trace

import "strings"

// withoutCompute lists the operators that the work signature leaves out by
// themselves: views, copies and casts, allocation and fills, and reads to the
// host. What is inside them still counts.
var withoutCompute = listed("aten::",
	// views
	`t transpose permute view reshape _reshape_alias _unsafe_view as_strided expand expand_as slice select narrow split
	 split_with_sizes chunk unbind unsqueeze squeeze flatten unflatten movedim swapaxes diagonal alias view_as numpy_T mT
	 unfold broadcast_tensors detach detach_ lift_fresh requires_grad_ resolve_conj resolve_neg conj`,
	// copies and casts
	`to _to_copy copy_ clone contiguous pin_memory _pin_memory is_pinned`,
	// allocation and fills
	`empty empty_like empty_strided new_empty new_empty_strided resize_ resize_as_ set_ set_data zeros ones full zeros_like
	 ones_like full_like new_zeros new_ones new_full fill_ zero_ arange scalar_tensor`,
	// reads to the host and bookkeeping
	`item _local_scalar_dense is_nonzero is_same_size result_type record_stream _has_compatible_shallow_copy_type output_nr retain_grad`,
)

func listed(namespace string, groups ...string) map[string]bool {
	names := map[string]bool{}
	for _, group := range groups {
		for _, name := range strings.Fields(group) {
			names[namespace+name] = true
		}
	}
	return names
}

// isWrapper reports whether an operator only wraps others: it is looked
// through.
func isWrapper(name string) bool {
	return strings.HasPrefix(name, "autograd::engine::") || strings.HasPrefix(name, "torch::jit::")
}

var collectiveVerbs = []string{"all_reduce", "allreduce", "all_gather", "allgather", "reduce_scatter", "all_to_all", "allto_all", "all_toall", "alltoall", "barrier"}

// isExcluded reports whether an operator is left out with all inside it:
// summing gradients into parameters and between ranks belongs to the rows
// rank_count and comms.
func isExcluded(name string) bool {
	for _, prefix := range []string{"torch.distributed", "torch::distributed", "c10d", "_c10d", "record_param_comms", "nccl:", "gloo:"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	if name == "torch::autograd::AccumulateGrad" {
		return true
	}
	namespace, verb, found := strings.Cut(name, "::")
	if !found || !isWord(namespace) {
		return false
	}
	verb = strings.TrimPrefix(verb, "_")
	if verb == "broadcast" || verb == "broadcast_" {
		return true
	}
	for _, collective := range collectiveVerbs {
		if strings.HasPrefix(verb, collective) {
			return true
		}
	}
	return false
}

func isWord(text string) bool {
	for _, r := range text {
		if r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return text != ""
}

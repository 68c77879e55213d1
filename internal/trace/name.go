package trace

import (
	"regexp"
	"strings"
)

// meaning is what a name says about a span, found once for each distinct name.
type meaning uint32

const (
	profilerStep meaning = 1 << iota
	modelRun
	optimizerStep
	annotationName // an annotation by its name, whatever its category
	otherRows      // an annotation whose content belongs to other dimension rows
	// counted operators are work; barring ones keep what is inside them from
	// being counted again, or at all.
	counted
	barring
	attention
	matrixProduct
	batchedProduct
	convolution
	weighted
	loss
	compiled
	processLoader
	workerLoader
	communicationKernel
	collectiveLike
	graphLaunch
	launchCall
	synchroniseCall
)

const product = matrixProduct | batchedProduct | convolution | attention

var (
	// Inference engines annotate each run of the model: vLLM
	// "execute_32_context_0(…)_generation_32(…)" and its older
	// "execute_context_1(…)_generation_0(…)" and
	// "execute_new_1_cached_3", SGLang "step[DECODE bs=32]".
	modelRunName = regexp.MustCompile(`^(execute_(\d+_)?context_\d+|execute_new_\d+_cached_\d+|step\[[A-Z_]+ )`)
	// Kernels of collective libraries by name; the second half are kernels
	// that move data between GPUs without NCCL or RCCL.
	communicationName = regexp.MustCompile(`(?i)nccl|rccl|cross_device_reduce_[12]stage|allreduce_fusion|quickreduce|nvshmem|mscclpp|deep_ep`)
	// Names that look like a collective and are counted as compute.
	collectiveLikeName = regexp.MustCompile(`(?i)all_?reduce|all_?gather|reduce_?scatter|all_?to_?all`)
	attentionName      = regexp.MustCompile(`scaled_dot_product.*attention`)
	weightedName       = regexp.MustCompile(`^aten::(linear|addmm|conv[123]d|layer_norm|batch_norm|embedding)$`)
	lossName           = regexp.MustCompile(`^aten::(\w*cross_entropy\w*|nll_loss|nll_loss_nd|nll_loss2d|\w*mse_loss|\w*l1_loss|huber_loss|kl_div|\w*_ctc_loss|ctc_loss|gaussian_nll_loss|poisson_nll_loss|soft_margin_loss|multi_margin_loss|multilabel_margin_loss|hinge_embedding_loss|cosine_embedding_loss|margin_ranking_loss|triplet_margin_loss)$`)
	launchName         = regexp.MustCompile(`(?i)launch`)
	synchroniseName    = regexp.MustCompile(`(?i)synchronize`)
)

func meaningOf(name string) meaning {
	var m meaning
	set := func(flag meaning, is bool) {
		if is {
			m |= flag
		}
	}
	set(profilerStep, strings.HasPrefix(name, "ProfilerStep"))
	set(modelRun, modelRunName.MatchString(name))
	set(optimizerStep, strings.HasPrefix(name, "Optimizer.step#"))
	set(otherRows, strings.HasPrefix(name, "Optimizer.step#") || strings.HasPrefix(name, "Optimizer.zero_grad#") || strings.HasPrefix(name, "enumerate(DataLoader)#"))
	set(annotationName, m&(otherRows|profilerStep) != 0 || strings.HasPrefix(name, "Optimizer.") || strings.HasPrefix(name, "enumerate(DataLoader)"))
	set(compiled, strings.HasPrefix(name, "Torch-Compiled Region") || name == "CompiledFunction")
	set(processLoader, strings.Contains(name, "_SingleProcessDataLoaderIter"))
	set(workerLoader, strings.Contains(name, "_MultiProcessingDataLoaderIter"))
	m |= operatorMeaning(name)
	set(communicationKernel, communicationName.MatchString(name))
	set(collectiveLike, m&communicationKernel == 0 && collectiveLikeName.MatchString(name))
	set(launchCall, launchName.MatchString(name))
	set(graphLaunch, m&launchCall != 0 && strings.Contains(name, "Graph"))
	set(synchroniseCall, synchroniseName.MatchString(name))
	return m
}

func operatorMeaning(name string) meaning {
	var m meaning
	set := func(flag meaning, is bool) {
		if is {
			m |= flag
		}
	}
	compute, excluded := strings.Contains(name, "::") && !isWrapper(name) && !withoutCompute[name], isExcluded(name)
	set(counted, compute && !excluded)
	set(barring, compute || excluded)
	set(weighted, weightedName.MatchString(name))
	set(attention, attentionName.MatchString(name) && !strings.Contains(name, "backward"))
	switch name {
	case "aten::mm", "aten::addmm":
		m |= matrixProduct
	case "aten::bmm", "aten::baddbmm":
		m |= batchedProduct
	case "aten::convolution", "aten::convolution_overrideable":
		m |= convolution
	}
	set(loss, lossName.MatchString(name))
	return m
}

// meanings finds the meaning of every name of the trace.
func (t *Trace) meanings() []meaning {
	out := make([]meaning, len(t.Names))
	for i, name := range t.Names {
		out[i] = meaningOf(name)
	}
	return out
}

"""Muon (Jordan et al., 2024, https://kellerjordan.github.io/posts/muon/): momentum whose singular values are all
brought near 1. For the matrices inside the layers; embeddings and norms keep AdamW.
"""

import machine  # before PyTorch
import torch


def orthogonalized(matrices, steps=5):
    """Newton-Schulz iteration: U V^T of the singular value decomposition of each of a stack of matrices, about: in bfloat16 where
    that is fast, so the result depends on the machine."""
    a, b, c = 3.4445, -4.7750, 2.0315
    tall = matrices.shape[-2] > matrices.shape[-1]
    x = matrices.bfloat16() if matrices.is_cuda or machine.MULTIPLIES_BFLOAT16 else matrices
    x = (x.mT if tall else x).contiguous()
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(steps):
        gram = x @ x.mT
        x = a * x + (b * gram + c * gram @ gram) @ x
    return (x.mT if tall else x).to(matrices.dtype)


class Muon(torch.optim.Optimizer):
    def __init__(self, parameters, lr=0.02, momentum=0.95, weight_decay=0.0):
        super().__init__(parameters, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            same_shape = {}
            for weight in group["params"]:
                same_shape.setdefault(weight.shape, []).append(weight)
            for (rows, columns), weights in same_shape.items():
                for weight in weights:
                    if "velocity" not in self.state[weight]:
                        self.state[weight]["velocity"] = torch.zeros_like(weight)
                velocity = [self.state[weight]["velocity"] for weight in weights]
                gradients = [weight.grad for weight in weights]
                torch._foreach_mul_(velocity, group["momentum"])
                torch._foreach_add_(velocity, gradients, alpha=1 - group["momentum"])
                nesterov = torch.stack(gradients).lerp(torch.stack(velocity), group["momentum"])
                updates = orthogonalized(nesterov).unbind()
                torch._foreach_mul_(weights, 1 - group["lr"] * group["weight_decay"])
                torch._foreach_add_(weights, list(updates), alpha=-group["lr"] * max(1, rows / columns) ** 0.5)

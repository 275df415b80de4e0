"""Muon (Jordan et al., 2024, https://kellerjordan.github.io/posts/muon/): momentum whose singular values are all
brought near 1. For the matrices inside the layers; embeddings and norms keep AdamW.
"""

import torch


def orthogonalised(matrix, steps=5):
    """Newton-Schulz iteration: U V^T of the singular value decomposition, about."""
    a, b, c = 3.4445, -4.7750, 2.0315
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.bfloat16() if matrix.is_cuda else matrix
    x = x.T if tall else x
    x = x / (x.norm() + 1e-7)
    for _ in range(steps):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    return (x.T if tall else x).to(matrix.dtype)


class Muon(torch.optim.Optimizer):
    def __init__(self, parameters, lr=0.02, momentum=0.95, weight_decay=0.0):
        super().__init__(parameters, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for weight in group["params"]:
                state = self.state[weight]
                if "velocity" not in state:
                    state["velocity"] = torch.zeros_like(weight)
                velocity = state["velocity"].lerp_(weight.grad, 1 - group["momentum"])
                update = orthogonalised(weight.grad.lerp(velocity, group["momentum"]))
                weight.mul_(1 - group["lr"] * group["weight_decay"])
                weight.add_(update, alpha=-group["lr"] * max(1, weight.shape[0] / weight.shape[1]) ** 0.5)
